import { type Scope, scopes } from '@gemini-mcp/mcp/internal/declarations';
import * as z from 'zod';

/** One entry, as it is written in the file. */
export type PrincipalEntry = {
  readonly name: string;
  readonly tokenSha256: string;
  readonly scopes?: readonly Scope[] | undefined;
  readonly roots?: readonly string[] | undefined;
};

export type PrincipalsFile = { readonly principals: readonly PrincipalEntry[] };

const maxPrincipals = 10_000;

// Messages of our own, and none that repeats a value: a value may be a token or its digest.
const entry = z.strictObject(
  {
    name: z
      .string({ error: 'must be a string' })
      .regex(/^[A-Za-z0-9._-]{1,64}$/, {
        error: 'must have 1 to 64 of the characters A to Z, a to z, 0 to 9, ".", "_", "-"',
      })
      .refine((name) => name !== 'local', {
        error: 'must not be "local", which is the name of the server\'s own token',
      }),
    tokenSha256: z
      .string({ error: 'must be a string' })
      .regex(/^[0-9a-f]{64}$/i, { error: 'must be the SHA-256 of a token in hexadecimal, 64 digits' })
      .toLowerCase(),
    scopes: z.array(z.enum(scopes, { error: `must be one of ${scopes.join(', ')}` })).optional(),
    roots: z
      .array(z.string({ error: 'must be a string' }))
      .min(1, { error: 'must name a directory, or be left out' })
      .optional(),
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? 'may only have name, tokenSha256, scopes and roots' : 'must be an object',
  },
);

export const principalsFileSchema: z.ZodType<PrincipalsFile> = z.strictObject(
  {
    principals: z
      .array(entry, { error: 'must be a list' })
      .min(1, { error: 'must have an entry' })
      .max(maxPrincipals, { error: `must have at most ${maxPrincipals} entries` }),
  },
  { error: ({ code }) => (code === 'unrecognized_keys' ? 'may only have principals' : 'must be an object') },
);
