import type { Schema } from '@cfworker/json-schema';

/** The types that a schema names; none where it leaves them open. */
export function typesOf({ type = [] }: Schema): readonly string[] {
  return Array.isArray(type) ? type : [type];
}

/** Whether a value is of a type that the schema names. */
export function hasTypeOf(value: unknown, schema: Schema): boolean {
  return typesOf(schema).some((type) => type === typeOf(value) || (type === 'integer' && Number.isInteger(value)));
}

function typeOf(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  return Array.isArray(value) ? 'array' : typeof value;
}
