import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOwner, ownerNames } from './find-owner.ts';
import { principalOwner } from './principal.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'find-owner-'));
});

afterEach(() => rm(home, { recursive: true }));

const find = (name: string, environment: Record<string, string> = {}) =>
  findOwner(name, { environment: { HOME: home, ...environment }, currentDirectory: home });

describe('the owner for a principal named in the terminal', () => {
  it("is the holder of the operator's token", async () => {
    expect(await find('local')).toBe(principalOwner('local', 'local'));
  });

  it('is an entry of the principals file', async () => {
    const file = join(home, 'principals.json');
    await writeFile(file, JSON.stringify({ principals: [{ name: 'ada', tokenSha256: 'a'.repeat(64) }] }));
    await chmod(file, 0o600);
    const environment = { GEMINI_MCP_PRINCIPALS_FILE: file };
    expect(await find('ada', environment)).toBe(principalOwner('static', 'ada'));
    await expect(find('adam', environment)).rejects.toThrow(
      '--principal: no principal is named "adam". Did you mean ada?',
    );
    await expect(find('__proto__')).rejects.toThrow('There are local.');
    const sources = { environment: { HOME: home, ...environment }, currentDirectory: home };
    expect([...(await ownerNames(sources)).values()]).toEqual(['ada', 'local']);
  });

  it('is a subject of the configured issuer, whatever its name', async () => {
    const environment = {
      GEMINI_MCP_OAUTH_ISSUER: 'https://id.example.com/team',
      GEMINI_MCP_OAUTH_AUDIENCE: 'https://gemini.example.com/mcp',
    };
    for (const subject of ['ada', 'local', 'oauth:ada', 'ada@example.com', ' ', 'x'.repeat(255)]) {
      const owner = principalOwner('oauth', 'https://id.example.com/team', subject);
      expect(await find(`oauth:${subject}`, environment)).toBe(owner);
    }
    const other = { ...environment, GEMINI_MCP_OAUTH_ISSUER: 'https://id.example.com/other' };
    expect(await find('oauth:ada', other)).not.toBe(await find('oauth:ada', environment));
    await expect(find('oauth:', environment)).rejects.toThrow('a subject has 1 to 255 characters');
    await expect(find(`oauth:${'x'.repeat(256)}`, environment)).rejects.toThrow('a subject has 1 to 255 characters');
    await expect(find('Grace', environment)).rejects.toThrow('There are local, and oauth:<subject> for those of the');
    await expect(find('oauth:ada')).rejects.toThrow('Set GEMINI_MCP_OAUTH_ISSUER');
  });
});
