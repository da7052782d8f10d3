import { isJsonRecord, type JsonRecord, recordsIn } from '../json-record.ts';
import { functionNameProblem } from './find-function-refusal.ts';

const types: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/**
 * Why the Gemini API refuses the tools of a request, whatever the model; null if it does not. Only rules of every version:
 * names, duplicate functions, unknown types, and missing required properties. One bad function fails the request.
 */
export function findToolsRefusal(tools: unknown): string | null {
  const functions = recordsIn(tools).flatMap(({ functionDeclarations }) => recordsIn(functionDeclarations));
  const names = functions.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    return `Duplicate function declaration found: ${String(twice)}`;
  }
  const problems = functions.map((declared, index) => {
    const { name, parametersJsonSchema, parameters = parametersJsonSchema } = declared;
    const problem = functionNameProblem(name) ?? schemaProblem(parameters, 'parameters');
    return problem === null ? null : `* GenerateContentRequest.tools[0].function_declarations[${index}].${problem}`;
  });
  return problems.find((problem) => problem !== null) ?? null;
}

function schemaProblem(schema: unknown, path: string): string | null {
  if (!isJsonRecord(schema)) {
    return null;
  }
  const { properties, required, type } = schema;
  const known = isJsonRecord(properties) ? properties : {};
  const missing = Array.isArray(required) ? required.findIndex((name) => !Object.hasOwn(known, String(name))) : -1;
  if (missing >= 0) {
    return `${path}.required[${missing}]: property is not defined`;
  }
  const wrong = [type ?? []].flat().find((one) => !types.has(String(one).toLowerCase()));
  if (wrong !== undefined) {
    return `${path}.type: invalid value ${JSON.stringify(wrong)}`;
  }
  return childProblem(schema, known, path);
}

function childProblem({ items, anyOf }: JsonRecord, properties: JsonRecord, path: string): string | null {
  const children: readonly (readonly [string, unknown])[] = [
    ...Object.entries(properties).map(([name, value]) => [`${path}.properties[${name}]`, value] as const),
    [`${path}.items`, items],
    ...recordsIn(anyOf).map((value, index) => [`${path}.any_of[${index}]`, value] as const),
  ];
  return children.map(([at, value]) => schemaProblem(value, at)).find((problem) => problem !== null) ?? null;
}
