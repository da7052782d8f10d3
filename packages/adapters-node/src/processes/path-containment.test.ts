import { isAbsolute, join, normalize, relative, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryPath, isWithin } from './path-containment.ts';

const name = fc.oneof(
  fc.constantFrom('a', 'ab', 'a.', '...', ' ', 'root', 'root-evil', '\u00e9', '..a'),
  fc.string({ minLength: 1, maxLength: 4 }).map((text) => text.replaceAll(/[/\0]/g, '_')),
);
const path = fc.array(name, { maxLength: 5 }).map((names) => normalize(`/${names.join('/')}`).replace(/(?<=.)\/$/, ''));

describe('isWithin', () => {
  it.each([
    ['/root', '/root', true],
    ['/root', '/root/a', true],
    ['/root', '/root-evil/a', false],
    ['/root', '/', false],
    ['/', '/etc/passwd', true],
    ['/', '/', true],
  ])('%s holds %s: %s', (directory, other, expected) => {
    expect(isWithin(directory, other)).toBe(expected);
  });

  it('agrees with path.relative', () => {
    fc.assert(
      fc.property(path, path, fc.boolean(), (directory, other, isJoined) => {
        const target = isJoined ? join(directory, other).replace(/(?<=.)\/$/, '') : other;
        const way = relative(directory, target);
        const expected = way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
        expect(isWithin(directory, target)).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('entryPath', () => {
  it('handles the topmost directory, which already ends with a separator', () => {
    expect(entryPath('/', 'a')).toBe('/a');
    expect(entryPath('/a', 'b')).toBe('/a/b');
  });
});
