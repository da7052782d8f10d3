import type { AcceptedName, ArgumentProblem } from './describe-invalid-arguments.ts';
import { type CompiledSchema, compileJsonSchema } from './json-schema/compile-json-schema.ts';
import type { JsonObject, JsonSchemaInput, ToolInput } from './tool-input.ts';
import { acceptedByZod, readZodProblems } from './zod-problems.ts';

export type CheckedArguments =
  | { readonly isAccepted: true /** The arguments for `run`. */; readonly args: JsonObject }
  | {
      readonly isAccepted: false;
      readonly problems: readonly ArgumentProblem[];
      readonly accepted: readonly AcceptedName[];
    };

/** Checks arguments against the input of a tool. Rejects if the JSON Schema is unusable; `findSchemaProblem` finds that beforehand. */
export async function checkArguments(input: ToolInput, args: unknown): Promise<CheckedArguments> {
  if (!('jsonSchema' in input)) {
    const { data, error } = input.safeParse(args);
    return error === undefined
      ? { isAccepted: true, args: data }
      : { isAccepted: false, problems: readZodProblems(error, input, args), accepted: acceptedByZod(input) };
  }
  const compiled = await compileOnce(input);
  if (!compiled.isUsable) {
    throw new Error(`The JSON Schema of the input ${compiled.problem}`);
  }
  const problems = compiled.problemsOf(args);
  return problems.length === 0
    ? { isAccepted: true, args: args as JsonObject }
    : { isAccepted: false, problems, accepted: acceptedBySchema(input) };
}

/**
 * Why a stranger's JSON Schema cannot be the input of a tool, as a predicate on the schema: `refers to "https://x.example", which is
 * not in it: nothing is fetched`. Null if it can.
 */
export async function findSchemaProblem(input: JsonSchemaInput): Promise<string | null> {
  const compiled = await compileOnce(input);
  return compiled.isUsable ? null : compiled.problem;
}

const compiledSchemas = new WeakMap<JsonSchemaInput, Promise<CompiledSchema>>();

function compileOnce(input: JsonSchemaInput): Promise<CompiledSchema> {
  const compiled = compiledSchemas.get(input) ?? compileJsonSchema(input.jsonSchema, 'object');
  compiledSchemas.set(input, compiled);
  return compiled;
}

function acceptedBySchema({ jsonSchema: { properties, required } }: JsonSchemaInput): readonly AcceptedName[] {
  const isRequired = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.keys(properties ?? {}).map((name) => ({ name, isRequired: isRequired.has(name) }));
}
