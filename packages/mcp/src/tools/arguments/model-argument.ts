import * as z from 'zod';

/**
 * The name of one model: of the chain, or any that begins as Google's do. Never `auto`: it would let the CLI choose, with one
 * more billed request and fallbacks that no one is told of.
 */
export function modelArgument(modelChain: readonly string[]): z.ZodString {
  return z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
      abort: true,
      error: 'must be a model name: a to z, 0 to 9, ".", "_" and "-", 64 characters at most',
    })
    .refine((name) => name !== 'auto' && (/^(gemini|gemma)-/.test(name) || modelChain.includes(name)), {
      error: `must begin with gemini- or gemma- or be one of ${modelChain.join(', ')}; leave it out for these with fallback`,
    });
}

/** What clients are told of the argument. */
export const modelDescription: string = 'Such as gemini-3.8-flash. Without it the best available, with fallback.';
