import type { ArgumentView } from './servers-view.ts';

/** A tool with more is not read by a person. */
const maxArguments = 200;

/** The arguments of a tool by its schema, whatever a server has written there. */
export function viewArguments(inputSchema: Readonly<Record<string, unknown>>): readonly ArgumentView[] {
  const required = Array.isArray(inputSchema['required']) ? inputSchema['required'] : [];
  const properties = membersOf(inputSchema['properties']).slice(0, maxArguments);
  return properties.map(([name, schema]) => {
    const members = new Map(membersOf(schema));
    const description = members.get('description');
    return {
      name,
      type: typeOf(members),
      required: required.includes(name),
      description: typeof description === 'string' ? description : '',
    };
  });
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function typeOf(schema: ReadonlyMap<string, unknown>): string {
  const types = [...new Set(typesOf(schema))];
  return types.length === 0 || types.includes('any') ? 'any' : types.join('|');
}

/** More alternatives are not read by a person. */
const maxAlternatives = 20;

function typesOf(schema: ReadonlyMap<string, unknown>): readonly string[] {
  const type = schema.get('type');
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  const alternatives = schema.get('anyOf') ?? schema.get('oneOf');
  return types.length === 0 && Array.isArray(alternatives)
    ? alternatives.slice(0, maxAlternatives).map((one) => plainTypeOf(new Map(membersOf(one))))
    : types;
}

function plainTypeOf(alternative: ReadonlyMap<string, unknown>): string {
  const type = alternative.get('type');
  return typeof type === 'string' ? type : 'any';
}
