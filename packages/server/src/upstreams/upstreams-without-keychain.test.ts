import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loginsKeychain, SystemKeychain } from '@gemini-mcp/gemini/internal';
import { expect, it } from 'vitest';
import { openCredentials } from './testing/open-credentials.ts';
import { storedCredential as credential } from './testing/stored-credential.ts';

const never = new AbortController().signal;

// In a file of its own: the library keeps the connection of a process that has found a bus once.
it.skipIf(process.platform !== 'linux')(
  'without a keychain nothing is kept, neither in plain text nor in the memory of the kernel, and it is said what to do',
  async () => {
    process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent/bus';
    const directory = await mkdtemp(join(tmpdir(), 'no-keychain-'));
    const keychain = new SystemKeychain(loginsKeychain);
    const store = openCredentials({ directory, keychain, isSealed: true });
    const words =
      /keychain cannot be used: .*\. Unlock it, or keep logins in files that only you can read: GEMINI_MCP_CREDENTIALS=file/s;
    expect(await store.prepare()).toMatch(words);
    expect(await store.save('user', { credential, expectedVersion: 0 }, never)).toEqual({
      saved: false,
      reason: 'unavailable',
      detail: expect.stringMatching(words),
    });
    expect(await store.find({ owner: 'user', server: credential.server }, never)).toBeNull();
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile())).toEqual([]);
    await rm(directory, { recursive: true });
  },
);
