import type { OutputUnit, Schema, SchemaDraft } from '@cfworker/json-schema';
import type { ArgumentProblem } from '../argument-problem.ts';
import { runBounded } from '../run-bounded.ts';
import type { JsonObject } from '../tool-input.ts';
import { copyJson, schemaBounds } from './copy-json.ts';
import { findSubschemaProblem, isSchemaObject } from './find-subschema-problem.ts';
import type { SchemaLookup } from './place-of.ts';
import { readUnits } from './read-units.ts';

/** How long a stranger's schema may keep this process from all else. One that is no attack takes a hundredth of it. */
const maxCheckMs = 250;

export type CompiledSchema =
  | {
      readonly isUsable: true;
      /** The problems with a value; none where the schema accepts it. Never throws. */
      readonly problemsOf: (value: unknown) => readonly ArgumentProblem[];
    }
  | { readonly isUsable: false /** Said of the schema, such as "is no JSON". */; readonly problem: string };

/**
 * Makes JSON Schema from a stranger ready to check values: bounded, well formed, with all that it refers to inside it. Nothing is
 * fetched, and no code is made of it. `root` is what its values are.
 */
export async function compileJsonSchema(jsonSchema: JsonObject, root: 'object' | 'any'): Promise<CompiledSchema> {
  const copied = copyJson(jsonSchema, schemaBounds);
  if (!copied.isCopied) {
    return { isUsable: false, problem: copied.problem };
  }
  const schema = copied.copy;
  if (!isSchemaObject(schema)) {
    return { isUsable: false, problem: 'is no JSON object' };
  }
  if (root === 'object' && schema.type !== 'object') {
    return { isUsable: false, problem: 'has not "type": "object"' };
  }
  // Loaded here, since a server whose tools all use zod starts sooner without it.
  const { dereference, validate } = await import('@cfworker/json-schema');
  const draft = draftOf(schema);
  const resolved = runBounded(() => {
    const lookup: SchemaLookup = dereference(schema);
    return { lookup, problem: findSubschemaProblem(schema, lookup) };
  }, maxCheckMs);
  if (resolved === null || resolved.result.problem !== null) {
    return { isUsable: false, problem: resolved?.result.problem ?? 'is no JSON Schema' };
  }
  const { lookup } = resolved.result;
  const check = (value: unknown): readonly OutputUnit[] => validate(value, schema, draft, { ...lookup }, false).errors;
  if (runBounded(() => check({}), maxCheckMs) === null) {
    return { isUsable: false, problem: 'refers to itself without end' };
  }
  return {
    isUsable: true,
    problemsOf: (value) => {
      const checked = runBounded(() => check(value), maxCheckMs);
      return checked === null ? [notChecked] : readUnits(checked.result, { schema, lookup, value });
    },
  };
}

const notChecked: ArgumentProblem = {
  path: [],
  type: 'rule',
  message: 'too large or too deep to be checked against the schema in time',
};

function draftOf({ $schema }: Schema): SchemaDraft {
  if (typeof $schema !== 'string') {
    return '2020-12';
  }
  if (/draft-0[67]/.test($schema)) {
    return '7';
  }
  return $schema.includes('2019-09') ? '2019-09' : '2020-12';
}
