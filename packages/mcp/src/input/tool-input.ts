import type { z } from 'zod';

/** A JSON object, parsed and otherwise as it came. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * JSON Schema as it is: of draft-07 or 2019-09 where its `$schema` says so, else of 2020-12. Its `type` is `object`. It may come from a
 * stranger: `findSchemaProblem` says whether it can be used. Nothing that it refers to is fetched.
 */
export type JsonSchemaInput = { readonly jsonSchema: JsonObject };

/** What a tool accepts: a strict object of zod, which is published as JSON Schema, or JSON Schema. */
export type ToolInput = z.ZodObject | JsonSchemaInput;

/** The arguments that `run` of a tool gets: what the object of zod makes of them, or, with JSON Schema, as they came. */
export type ToolArguments<Input extends ToolInput> = Input extends z.ZodObject ? z.output<Input> : JsonObject;
