import { createHash, timingSafeEqual } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { type Scope, scopes } from '@gemini-mcp/mcp/internal/declarations';
import { ConfigurationError } from '@gemini-mcp/server';
import * as z from 'zod';
import { type Principal, principalOwner } from '../principal.ts';
import { readGuardedFile } from './read-guarded-file.ts';

const maxFileBytes = 1_048_576;

/**
 * Reads `{"principals": [{"name", "tokenSha256", "scopes"?, "roots"?}]}`. Only the owner may be able to change the file, because it decides
 * who gets in. Rejects with a `ConfigurationError` that names file, entry and mistake, and contains neither tokens nor digests.
 */
export async function readPrincipals(path: string): Promise<readonly StaticToken[]> {
  const entries = parseEntries(path, await readGuardedFile({ path, guarded: 'integrity', maxBytes: maxFileBytes }));
  refuseTwins(path, entries, 'name');
  refuseTwins(path, entries, 'tokenSha256');
  const tokens: StaticToken[] = [];
  for (const [index, entry] of entries.entries()) {
    tokens.push(await createToken(`${path}: ${placeOf(index, entry)}`, entry));
  }
  return tokens;
}

/** Changes whenever the file does: an editor may replace it, and keep its time and its size. */
export async function stampOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats === null ? 'missing' : [stats.ino, stats.mtimeNs, stats.ctimeNs, stats.size].join(' ');
}

function parseEntries(path: string, text: string | null): readonly PrincipalEntry[] {
  if (text === null) {
    throw new ConfigurationError(`${path}: does not exist`);
  }
  const read = principalsFileSchema.safeParse(parseJson(path, text));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ConfigurationError(`${path}: ${showPath(issue?.path ?? [])} ${issue?.message ?? 'is not valid'}`);
  }
  return read.data.principals;
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the text, which may hold a digest.
    throw new ConfigurationError(`${path}: is not JSON`);
  }
}

/** Formats a path such as `principals[1].scopes[0]`. Its keys come from the schema, never from the file. */
function showPath(path: readonly PropertyKey[]): string {
  const shown = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return shown === '' ? 'the file' : shown.slice(1);
}

function placeOf(index: number, { name }: PrincipalEntry): string {
  return `principals[${index}] (${name})`;
}

function refuseTwins(path: string, entries: readonly PrincipalEntry[], key: 'name' | 'tokenSha256'): void {
  const seen = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    const place = placeOf(index, entry);
    const other = seen.get(entry[key]);
    if (other !== undefined) {
      throw new ConfigurationError(`${path}: ${place} has the same ${key} as ${other}`);
    }
    seen.set(entry[key], place);
  }
}

async function createToken(place: string, { name, tokenSha256, ...entry }: PrincipalEntry): Promise<StaticToken> {
  const roots = entry.roots === undefined ? null : await resolveRoots(place, entry.roots);
  return {
    sha256: Buffer.from(tokenSha256, 'hex'),
    principal: { name, owner: principalOwner('static', name), scopes: new Set(entry.scopes ?? scopes), roots },
  };
}

async function resolveRoots(place: string, roots: readonly string[]): Promise<readonly string[]> {
  const resolved = new Set<string>();
  for (const [index, root] of roots.entries()) {
    if (!isAbsolute(root)) {
      throw new ConfigurationError(`${place}: roots[${index}] is not an absolute path`);
    }
    resolved.add(await resolveDirectory(`${place}: roots[${index}]`, root));
  }
  return [...resolved];
}

async function resolveDirectory(place: string, root: string): Promise<string> {
  try {
    const path = await realpath(root);
    if ((await stat(path)).isDirectory()) {
      return path;
    }
  } catch (cause) {
    throw new ConfigurationError(`${place} does not exist or cannot be entered`, { cause });
  }
  throw new ConfigurationError(`${place} is not a directory`);
}

/** One entry of the file. */
type PrincipalEntry = {
  readonly name: string;
  readonly tokenSha256: string;
  readonly scopes?: readonly Scope[] | undefined;
  readonly roots?: readonly string[] | undefined;
};

type PrincipalsFile = { readonly principals: readonly PrincipalEntry[] };

const maxPrincipals = 10_000;

// Our own messages, because those of zod repeat values, which may be tokens or digests.
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

const principalsFileSchema: z.ZodType<PrincipalsFile> = z.strictObject(
  {
    principals: z
      .array(entry, { error: 'must be a list' })
      .min(1, { error: 'must have an entry' })
      .max(maxPrincipals, { error: `must have at most ${maxPrincipals} entries` }),
  },
  { error: ({ code }) => (code === 'unrecognized_keys' ? 'may only have principals' : 'must be an object') },
);

export type StaticToken = {
  readonly sha256: Uint8Array;
  readonly principal: Principal;
};

/** The digest under which tokens are stored and compared. */
export function tokenDigest(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}

/** The operator's own token, and those of a principals file, which can be replaced. Two principals cannot share one. */
export class StaticTokens {
  readonly #own: readonly StaticToken[];
  #tokens: readonly StaticToken[];

  /** Throws a `ConfigurationError` if two principals share a token. */
  constructor(own: readonly StaticToken[], ofFile: readonly StaticToken[] = []) {
    this.#own = own;
    this.#tokens = withoutTwins([...own, ...ofFile]);
  }

  /** Replaces the tokens of the file. Throws a `ConfigurationError` and replaces nothing if two principals share one. */
  replace(ofFile: readonly StaticToken[]): void {
    this.#tokens = withoutTwins([...this.#own, ...ofFile]);
  }

  /** Everyone who has a token now. */
  get principals(): readonly Principal[] {
    return this.#tokens.map(({ principal }) => principal);
  }

  /** The principal of a token; null if unknown. Compares all digests, so that the time says nothing about the tokens. */
  find(token: string): Principal | null {
    const digest = tokenDigest(token);
    let found: Principal | null = null;
    for (const { sha256, principal } of this.#tokens) {
      found = timingSafeEqual(sha256, digest) ? principal : found;
    }
    return found;
  }
}

function withoutTwins(tokens: readonly StaticToken[]): readonly StaticToken[] {
  const names = new Map<string, string>();
  for (const { sha256, principal } of tokens) {
    const digest = Buffer.from(sha256).toString('hex');
    const other = names.get(digest);
    if (other !== undefined) {
      throw new ConfigurationError(
        `The principals ${other} and ${principal.name} have the same token. Give each its own.`,
      );
    }
    names.set(digest, principal.name);
  }
  return tokens;
}
