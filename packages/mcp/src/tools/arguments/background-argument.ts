import * as z from 'zod';

const description = 'Return at once with the handle of a job for gemini_job. For what takes minutes.';

/** Whether the call goes on behind the caller's back. */
export function backgroundArgument(): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(false).describe(description);
}
