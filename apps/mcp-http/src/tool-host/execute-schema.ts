import * as z from 'zod';

/** A call of a tool, as `POST /execute` takes it. */
export type ExecuteCall = {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly directory?: string | undefined;
};

/** What `POST /execute` takes. */
export const executeSchema: z.ZodType<ExecuteCall> = z.strictObject({
  tool: z.string().min(1).max(100).describe('The name of a tool, as GET /tools lists it.'),
  arguments: z.record(z.string(), z.unknown()).default({}).describe('As the schema of the tool says.'),
  directory: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('The directory of the project, absolute or relative to the first root; that root when it is missing.'),
});
