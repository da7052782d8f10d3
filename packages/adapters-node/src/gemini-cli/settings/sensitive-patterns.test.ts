import fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, it } from 'vitest';
import { sensitiveList } from '../../files/sensitive-list.ts';
import { isSensitivePath } from '../../files/sensitive-names.ts';
import { sensitivePatterns } from './sensitive-patterns.ts';

/** The library that the Gemini CLI asks, as it asks it. */
const rules = ignore().add([...sensitivePatterns]);

/** A pattern of the list as one of the names that it means. */
function nameOf(pattern: string): string {
  return pattern.replace(/\[([^\]])[^\]]*\]/g, '$1').replaceAll('*', 'app');
}

const listed = [
  ...[...sensitiveList.beginnings, ...sensitiveList.words, ...sensitiveList.names, ...sensitiveList.harmless],
  ...[...sensitiveList.places, ...sensitiveList.files],
].map(nameOf);

describe('sensitivePatterns', () => {
  it('hides what the list names, and every copy of it that the matcher knows', () => {
    const shown = listed.filter((path) => rules.ignores(path) !== isSensitivePath(path));
    expect(shown).toEqual([]);
  });

  it('says for every name what the matcher says (KEYFILE-03)', () => {
    const before = fc.constantFrom('', '#', '.', '.#', 'copy of ', 'app', 'app.', 'x-', '_');
    const after = fc.constantFrom(
      ...['', '~', '#', '.bak', '-backup', '.old', '.orig', '.swp', '.1', '.20260101', ' copy', ' (1).json', '.gz'],
      ...['.tar.gz', '.ts', '.example', '.sample', '.pub', '.md', 'x', '_test.go', '.d', '.backup.json', '2'],
    );
    const known = fc
      .tuple(before, fc.constantFrom(...listed), after)
      .map(([start, name, end]) => `${start}${name}${end}`);
    const letters = fc.stringMatching(/^[a-zA-Z._~#() -]{1,8}$/).map((name) => `x${name.trim()}x`);
    const part = fc.oneof({ weight: 3, arbitrary: known }, { weight: 1, arbitrary: letters });
    const casing = fc.boolean();
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), casing, (parts, isUpper) => {
        const path = isUpper ? parts.join('/').toUpperCase() : parts.join('/');
        expect([path, rules.ignores(path)]).toEqual([path, isSensitivePath(path)]);
      }),
      { numRuns: 3_000 },
    );
  });
});
