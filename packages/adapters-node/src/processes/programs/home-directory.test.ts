import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountHome, findForeignHome, homeDirectory } from './home-directory.ts';

describe('homeDirectory', () => {
  it('is HOME', () => {
    expect(homeDirectory({ HOME: '/data/ada' })).toBe('/data/ada');
  });

  it.each([undefined, '', '.', 'home', '..'])(
    "ROOT-09: is the account's if HOME is %o, and no place in the start directory",
    (HOME) => {
      expect(homeDirectory({ HOME })).toBe(userInfo().homedir);
      expect(accountHome()).toBe(userInfo().homedir);
    },
  );

  it.skipIf(process.getuid?.() !== 0)("is the account's if HOME belongs to another user", async () => {
    const HOME = await mkdtemp(join(tmpdir(), 'home-of-another-'));
    expect(homeDirectory({ HOME })).toBe(HOME);
    await chown(HOME, 1_001, 1_001);
    expect(findForeignHome({ HOME })).toBe(HOME);
    expect(homeDirectory({ HOME })).toBe(userInfo().homedir);
    await rm(HOME, { recursive: true });
    expect(homeDirectory({ HOME })).toBe(HOME);
  });
});
