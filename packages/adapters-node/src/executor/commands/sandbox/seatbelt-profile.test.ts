import { describe, expect, it } from 'vitest';
import type { SandboxView } from './sandbox-view.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const view: SandboxView = {
  writable: ['/p'],
  toolPaths: ['/opt/x'],
  guarded: ['/p/.git'],
  held: [{ path: '/p/.vscode', kind: 'directory' }],
  masked: [{ path: '/p/.env', kind: 'file' }],
  network: false,
  place: {
    temporary: '/r/tmp',
    home: '/r/home',
    lockedFile: '',
    lockedDirectory: '',
    emptyFile: '',
    emptyDirectory: '',
    passwd: '',
    group: '',
    unseenNames: '',
  },
};

const lines = (known: Partial<SandboxView> = {}): readonly string[] =>
  seatbeltProfile({ ...view, ...known }).split('\n');

describe('the profile for macOS', () => {
  it('denies what it does not name', () => {
    expect(lines().slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  });

  it('takes back below what is writable what is protected and secret', () => {
    const profile = lines();
    const at = (line: string): number => profile.indexOf(line);
    const writes = at('(allow file-read* file-write* (subpath "/p") (subpath "/r/tmp") (subpath "/r/home"))');
    expect(writes).toBeGreaterThan(0);
    expect(at('(deny file-write* (subpath "/p/.git") (subpath "/p/.vscode"))')).toBeGreaterThan(writes);
    expect(at('(deny file-read* file-write* (subpath "/p/.env"))')).toBeGreaterThan(writes);
  });

  it('has no rule that holds for everything where there is nothing to name', () => {
    expect(lines({ guarded: [], held: [], masked: [] }).filter((line) => line.startsWith('(deny file'))).toEqual([]);
  });

  it.each([
    [false, '(deny network*)'],
    [true, '(allow network*)'],
  ])('has network: %s', (network, line) => {
    expect(lines({ network }).at(-1)).toBe(line);
  });

  it('lets no path begin a rule of its own', () => {
    expect(seatbeltProfile({ ...view, guarded: ['/p/a") (allow default) ("'] })).toContain(
      '(subpath "/p/a\\") (allow default) (\\"")',
    );
  });
});
