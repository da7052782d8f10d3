import type { Replacement } from '@gemini-mcp/core';
import * as z from 'zod';

export type ReplacementArguments = {
  readonly old_string: z.ZodString;
  readonly new_string: z.ZodString;
  readonly allow_multiple: z.ZodDefault<z.ZodBoolean>;
};

/** One replacement, by the names that Gemini's models are used to. */
export function replacementArguments(): ReplacementArguments {
  return {
    old_string: z.string().min(1).describe('The text that is there, exactly, with enough around it to be unique.'),
    new_string: z.string().describe('The text in its place, as the file is to have it.'),
    allow_multiple: z.boolean().default(false).describe('Whether every occurrence is replaced.'),
  };
}

export function replacementOf(args: z.output<z.ZodObject<ReplacementArguments>>): Replacement {
  return { oldText: args.old_string, newText: args.new_string, all: args.allow_multiple };
}
