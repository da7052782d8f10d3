import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AllowedRoots } from './allowed-roots.ts';

describe('AllowedRoots', () => {
  let base: string;
  let roots: AllowedRoots;

  beforeAll(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'roots-')));
    for (const directory of ['work/deep/inner', 'shared', 'work-evil']) {
      mkdirSync(join(base, directory), { recursive: true });
    }
    symlinkSync('work', join(base, 'alias'));
    roots = new AllowedRoots({ workingDirectory: join(base, 'alias'), roots: ['../shared', join(base, 'none')] });
  });

  afterAll(() => {
    rmSync(base, { recursive: true, force: true });
  });

  it.each([
    ['a', 'a'],
    ['./a//b/', 'a/b'],
    ['.', ''],
    ['deep/../a', 'a'],
    ['BASE/alias/a', 'a'],
    ['BASE/work/a', 'a'],
    ['../work/a', 'a'],
    ['../shared/a', 'BASE/shared/a'],
    ['BASE/none/a', 'BASE/none/a'],
    ['..', null],
    ['../work-evil/a', null],
    ['BASE/shared/../x', null],
    ['/', null],
    ['/etc/passwd', null],
  ])('%s is shown as %s', (name, expected) => {
    const place = roots.locate(name.replace('BASE', base));
    expect(place?.displayPath ?? null).toBe(expected?.replace('BASE', base) ?? null);
  });

  it('accepts only real paths below the real paths of the roots', () => {
    expect(roots.real().contains(join(base, 'work/a'))).toBe(true);
    expect(roots.real().contains(join(base, 'work'))).toBe(true);
    expect(roots.real().contains(join(base, 'shared/x'))).toBe(true);
    expect(roots.real().contains(join(base, 'alias/a'))).toBe(false);
    expect(roots.real().contains(join(base, 'work-evil'))).toBe(false);
    expect(roots.real().rootOf(join(base, 'work/a'))).toBe(join(base, 'work'));
  });

  it('excludes private directories, whatever the roots are and whatever link names them', () => {
    const options = {
      workingDirectory: base,
      roots: ['/'],
      privateDirectories: [join(base, 'alias'), join(base, 'none')],
    };
    const without = new AllowedRoots(options);
    expect(without.real().contains(join(base, 'work'))).toBe(false);
    expect(without.real().contains(join(base, 'work/deep'))).toBe(false);
    expect(without.real().contains(join(base, 'work-evil'))).toBe(true);
    expect(without.real().contains(join(base, 'shared'))).toBe(true);
  });

  it.each(['/proc/self/environ', '/sys/kernel', '/dev/null', '/dev'])(
    'rejects %s, which is below no root, not even /',
    (path) => {
      const everything = new AllowedRoots({ workingDirectory: '/', roots: ['/proc', '/dev'] });
      expect(everything.real().contains(path)).toBe(false);
      expect(everything.real().contains('/procession')).toBe(true);
    },
  );

  it('locates a name exactly where path.relative finds it below a root', () => {
    const part = fc.constantFrom('a', 'b', '..', '.', '', 'work', 'work-evil', 'shared', 'alias', '~', '%2e%2e', '...');
    const name = fc
      .tuple(fc.constantFrom('', '/', 'BASE/', '//'), fc.array(part, { maxLength: 6 }))
      .map(([start, parts]) => start + parts.join('/'));
    fc.assert(
      fc.property(name, (written) => {
        const text = written.replace('BASE', base);
        const target = resolve(base, 'alias', text);
        const isInside = ['alias', 'work', 'shared', 'none'].some((root) => {
          const way = relative(join(base, root), target);
          return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
        });
        expect(roots.locate(text) !== null).toBe(isInside);
      }),
      { numRuns: 1_000 },
    );
  });
});
