import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { accountHome, homeDirectory } from './home-directory.ts';

describe('homeDirectory', () => {
  it('is what HOME names', () => {
    expect(homeDirectory({ HOME: '/data/ada' })).toBe('/data/ada');
  });

  it.each([undefined, '', '.', 'home', '..'])(
    'ROOT-09: is that of the account where HOME is %o, and no place in the directory of the start',
    (HOME) => {
      expect(homeDirectory({ HOME })).toBe(userInfo().homedir);
      expect(accountHome()).toBe(userInfo().homedir);
    },
  );
});
