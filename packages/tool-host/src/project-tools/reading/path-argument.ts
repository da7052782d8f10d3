import * as z from 'zod';

const maxCharacters = 4_096;

/** A path of a file or a directory, which is checked where it is opened. */
export function pathArgument(description: string): z.ZodString {
  return z.string().min(1).max(maxCharacters).describe(description);
}
