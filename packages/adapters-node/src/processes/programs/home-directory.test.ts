import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { accountHome, homeDirectory } from './home-directory.ts';

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
});
