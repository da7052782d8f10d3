import * as z from 'zod';

const description = 'Return at once, with a handle for gemini_job.';

/** Whether the call goes on after its result. */
export function backgroundArgument(): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(false).describe(description);
}
