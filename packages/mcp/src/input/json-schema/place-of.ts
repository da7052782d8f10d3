import type { OutputUnit, Schema } from '@cfworker/json-schema';
import { isSchemaObject, targetOf } from './find-subschema-problem.ts';

/** Schemas by the URIs at which references find them. */
export type SchemaLookup = Readonly<Record<string, Schema | boolean>>;

/** A value, and the schema that it was checked against. */
export type CheckedValue = {
  readonly schema: Schema;
  readonly lookup: SchemaLookup;
  readonly value: unknown;
};

/** What one report of the library is about. */
export type Place = {
  /** Names and indexes from the value that was checked down to the one that is wrong. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** The schema that has the keyword. */
  readonly schema: Schema;
};

/** Finds the place that a report names by two pointers. */
export function placeOf({ instanceLocation, keywordLocation }: OutputUnit, checked: CheckedValue): Place {
  return { ...valueAt(instanceLocation, checked.value), schema: schemaAt(keywordLocation, checked) };
}

function valueAt(pointer: string, root: unknown): Pick<Place, 'path' | 'value'> {
  const path: (string | number)[] = [];
  let value = root;
  for (const step of stepsOf(pointer)) {
    path.push(Array.isArray(value) ? Number(step) : step);
    value = own(value, step);
  }
  return { path, value };
}

/** The last step is the keyword itself. Where the pointer goes through a reference, so does the way. */
function schemaAt(pointer: string, { schema: root, lookup }: CheckedValue): Schema {
  let schema: unknown = root;
  for (const step of stepsOf(pointer).slice(0, -1)) {
    const target = step === '$ref' && isSchemaObject(schema) ? targetOf(schema, lookup) : undefined;
    schema = target ?? own(schema, step);
  }
  return isSchemaObject(schema) ? schema : {};
}

function own(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function stepsOf(pointer: string): readonly string[] {
  const [, ...steps] = pointer.split('/');
  return steps.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}
