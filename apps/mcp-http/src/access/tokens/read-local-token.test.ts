import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '@gemini-mcp/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLocalToken } from './read-local-token.ts';

const token = 'abcdefghijklmnopqrstuvwxyz012345';

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'token-'));
  file = join(directory, 'token');
});

afterEach(() => rm(directory, { recursive: true, force: true }));

async function messageOf(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigurationError);
  return error instanceof Error ? error.message : '';
}

describe('readLocalToken', () => {
  it('creates a different token of 256 bits each time if no token is set', async () => {
    const made = await Promise.all(
      [
        { value: null, file: null },
        { value: '', file: null },
      ].map(readLocalToken),
    );
    for (const { token: fresh, generated } of made) {
      expect(fresh).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(generated).toBe(true);
    }
    expect(made[0]?.token).not.toBe(made[1]?.token);
  });

  it('uses the configured value', async () => {
    expect(await readLocalToken({ value: token, file: null })).toEqual({ token, generated: false });
  });

  it.each([token.slice(1), `${token} `, `${token}\n`, `${token}ä`, `${token}\u0000`, 'a'.repeat(4_097)])(
    'refuses the value %#, explains how to create one and does not show it',
    async (value) => {
      const message = await messageOf(readLocalToken({ value, file: null }));
      expect(message).toMatch(/^GEMINI_MCP_TOKEN: needs a token of 32 to 4,096 characters .* openssl rand -base64 32$/);
      expect(message).not.toContain(value.slice(0, 8));
    },
  );

  it('refuses a value together with a file: it is unclear which one counts', async () => {
    expect(await messageOf(readLocalToken({ value: token, file }))).not.toContain(token);
  });

  it('uses the first line of the file', async () => {
    await writeFile(file, `  ${token}\r\nnotes\n`, { mode: 0o600 });
    expect(await readLocalToken({ value: null, file })).toEqual({ token, generated: false });
  });

  it('creates a missing file, readable only by this user, and reuses it', async () => {
    const made = await readLocalToken({ value: null, file });
    expect(made.generated).toBe(true);
    expect(await readFile(file, 'utf8')).toBe(`${made.token}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readLocalToken({ value: null, file })).toEqual({ token: made.token, generated: false });
  });

  it('does not write through a dangling link', async () => {
    await symlink(join(directory, 'elsewhere'), file);
    await messageOf(readLocalToken({ value: null, file }));
    await expect(stat(join(directory, 'elsewhere'))).rejects.toThrow('ENOENT');
  });

  it.each(['', '\n', 'short\n', `\n${token}\n`])(
    'refuses a file without a valid token in its first line: %j',
    async (text) => {
      await writeFile(file, text, { mode: 0o600 });
      expect(await messageOf(readLocalToken({ value: null, file }))).toContain(`${file}: needs a token`);
    },
  );

  it('refuses a file that others can read', async () => {
    await writeFile(file, `${token}\n`);
    await chmod(file, 0o640);
    const message = await messageOf(readLocalToken({ value: null, file }));
    expect(message).toContain('chmod 600');
    expect(message).not.toContain(token);
  });

  it('reports a file that cannot be created', async () => {
    const missing = join(directory, 'missing', 'token');
    expect(await messageOf(readLocalToken({ value: null, file: missing }))).toBe(`${missing}: cannot be made (ENOENT)`);
  });
});
