import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '@gemini-mcp/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { principalOwner } from '../principal.ts';
import { readPrincipals, StaticTokens, tokenDigest } from './read-principals.ts';

const hex = (token: string): string => Buffer.from(tokenDigest(token)).toString('hex');

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'principals-')));
  path = join(directory, 'principals.json');
});

afterEach(() => rm(directory, { recursive: true, force: true }));

async function write(content: unknown): Promise<void> {
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o644 });
}

async function refusalOf(content: unknown): Promise<string> {
  await write(content);
  const error = await readPrincipals(path).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigurationError);
  return error instanceof Error ? error.message.replace(path, 'FILE') : '';
}

const alice = { name: 'alice', tokenSha256: hex('token of alice') };
const bob = { name: 'bob', tokenSha256: hex('token of bob') };

describe('readPrincipals', () => {
  it('reads names, scopes and roots', async () => {
    const root = join(directory, 'project');
    await mkdir(root);
    await symlink(root, join(directory, 'link'));
    const roots = [join(directory, 'link'), root, directory];
    await write({
      principals: [alice, { ...bob, tokenSha256: bob.tokenSha256.toUpperCase(), scopes: ['gemini:query'], roots }],
    });
    const tokens = new StaticTokens(await readPrincipals(path));
    expect(tokens.find('token of alice')).toEqual({
      name: 'alice',
      owner: principalOwner('static', 'alice'),
      scopes: new Set([
        'gemini:query',
        'gemini:chat',
        'gemini:search',
        'gemini:files',
        'gemini:agent',
        'gemini:tools',
        'gemini:servers',
      ]),
      roots: null,
    });
    expect(tokens.find('token of bob')).toEqual({
      name: 'bob',
      owner: principalOwner('static', 'bob'),
      scopes: new Set(['gemini:query']),
      roots: [root, directory],
    });
    expect(tokens.find(alice.tokenSha256)).toBeNull();
  });

  it.each([
    ['not JSON', 'FILE: is not JSON'],
    [[], 'FILE: the file must be an object'],
    [{}, 'FILE: principals must be a list'],
    [{ principals: [] }, 'FILE: principals must have an entry'],
    [{ principals: [alice], more: 1 }, 'FILE: the file may only have principals'],
    [{ principals: ['alice'] }, 'FILE: principals[0] must be an object'],
    [{ principals: [alice, { tokenSha256: bob.tokenSha256 }] }, 'FILE: principals[1].name must be a string'],
    [
      { principals: [{ ...alice, name: 'a b' }] },
      'FILE: principals[0].name must have 1 to 64 of the characters A to Z, a to z, 0 to 9, ".", "_", "-"',
    ],
    [
      { principals: [{ ...alice, name: 'local' }] },
      `FILE: principals[0].name must not be "local", which is the name of the server's own token`,
    ],
    [
      { principals: [{ ...alice, [bob.tokenSha256]: 1 }] },
      'FILE: principals[0] may only have name, tokenSha256, scopes and roots',
    ],
    [
      { principals: [{ ...alice, tokenSha256: alice.tokenSha256.slice(1) }] },
      'FILE: principals[0].tokenSha256 must be the SHA-256 of a token in hexadecimal, 64 digits',
    ],
    [
      { principals: [{ ...alice, scopes: ['gemini:shell'] }] },
      'FILE: principals[0].scopes[0] must be one of gemini:query, gemini:chat, gemini:search, gemini:files, gemini:agent, gemini:tools, gemini:servers',
    ],
    [{ principals: [{ ...alice, roots: [] }] }, 'FILE: principals[0].roots must name a directory, or be left out'],
    [
      { principals: [{ ...alice, roots: ['relative'] }] },
      'FILE: principals[0] (alice): roots[0] is not an absolute path',
    ],
    [
      { principals: [{ ...alice, roots: ['/nowhere/at/all'] }] },
      'FILE: principals[0] (alice): roots[0] does not exist or cannot be entered',
    ],
    [{ principals: [{ ...alice, roots: ['/dev/null'] }] }, 'FILE: principals[0] (alice): roots[0] is not a directory'],
    [
      { principals: [alice, { ...bob, name: 'alice' }] },
      'FILE: principals[1] (alice) has the same name as principals[0] (alice)',
    ],
    [
      { principals: [alice, { ...bob, tokenSha256: alice.tokenSha256.toUpperCase() }] },
      'FILE: principals[1] (bob) has the same tokenSha256 as principals[0] (alice)',
    ],
  ])('names the mistake and its place, without a digest: %#', async (content, message) => {
    expect(await refusalOf(content)).toBe(message);
  });

  it('quotes nothing of an invalid JSON file', async () => {
    expect(await refusalOf(`{"principals": ["${alice.tokenSha256}"`)).toBe('FILE: is not JSON');
  });

  it('refuses a file that others may change, that is too large, or that is missing', async () => {
    await write({ principals: [alice] });
    await chmod(path, 0o664);
    await expect(readPrincipals(path)).rejects.toThrow('can be changed by other users');
    await rm(path);
    await expect(readPrincipals(path)).rejects.toThrow(`${path}: does not exist`);
    expect(await refusalOf(' '.repeat(1_048_577))).toBe('FILE: has 1048577 bytes; at most 1048576 are read');
  });
});
