import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { scopes } from '@gemini-mcp/mcp/internal/declarations';
import { ConfigurationError } from '@gemini-mcp/server';
import { principalOwner } from '../principal-owner.ts';
import { type PrincipalEntry, principalsFileSchema } from './principals-file.ts';
import { readGuardedFile } from './read-guarded-file.ts';
import type { StaticToken } from './static-tokens.ts';

const maxFileBytes = 1_048_576;

/**
 * The principals of a file: `{"principals": [{"name", "tokenSha256", "scopes"?, "roots"?}]}`. Who may change the file may let
 * anybody in, so only its owner may. Throws a `ConfigurationError` that names the file, the entry and what is wrong
 * with it, and shows neither a token nor its digest.
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
    // Without its message, which quotes the text.
    throw new ConfigurationError(`${path}: is not JSON`);
  }
}

/** `principals[1].scopes[0]`: what the schema asks for, and so no key that somebody else has chosen. */
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
