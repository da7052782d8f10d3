import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

/** What a program that applies diffs makes of one: an oracle that shares no code with what wrote it. */
function applyDiff(before: string, diff: string): string {
  const olds = before.split(/(?<=\n)/);
  const result: string[] = [];
  const [, , ...lines] = diff.split(/(?<=\n)/);
  const take = (count: number): void => void result.push(...olds.splice(0, count));
  let place = 0;
  lines.forEach((line, index) => {
    const [, start, count] = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@\n$/.exec(line) ?? [];
    const text = lines[index + 1]?.startsWith('\\') === true ? line.slice(1, -1) : line.slice(1);
    const steps: Readonly<Record<string, () => void>> = {
      '@': () => {
        const next = Number(start) - (count === '0' ? 0 : 1);
        take(next - place);
        place = next;
      },
      '+': () => void result.push(text),
      ' ': () => {
        expect(olds[0]).toBe(text);
        take(1);
        place += 1;
      },
      '-': () => {
        expect(olds.shift()).toBe(text);
        place += 1;
      },
    };
    steps[line[0] ?? '']?.();
  });
  return [...result, ...olds].join('');
}

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n', 'a'), { maxLength: 40 })
  .map((lines) => lines.join(''));

describe('unifiedDiff', () => {
  it('shows a change with three lines around it', () => {
    const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
    expect(unifiedDiff({ path: 'a/b.txt', before, after: before.replace('5', 'five') })).toEqual({
      diff: '--- a/a/b.txt\n+++ b/a/b.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
      addedLines: 1,
      removedLines: 1,
    });
  });

  it('shows a file that was not there, and one that is gone', () => {
    expect(unifiedDiff({ path: 'f', before: null, after: 'a\n' }).diff).toBe(
      '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n',
    );
    expect(unifiedDiff({ path: 'f', before: 'a\n', after: null }).diff).toBe(
      '--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
    );
    expect(unifiedDiff({ path: 'f', before: null, after: '' }).diff).toBe('--- /dev/null\n+++ b/f\n');
  });

  it('says where the last line end is missing', () => {
    expect(unifiedDiff({ path: 'f', before: 'a', after: 'a\n' }).diff).toBe(
      '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n',
    );
  });

  it('escapes what would deceive a reader in the name', () => {
    const { diff } = unifiedDiff({ path: 'a\n+++ b/\u202ef', before: '', after: 'x' });
    expect(diff).toContain('--- a/a\\u{a}+++ b/\\u{202e}f\n');
  });

  it('is empty if nothing differs', () => {
    expect(unifiedDiff({ path: 'f', before: 'a\n', after: 'a\n' }).diff).toBe('');
  });

  it('turns one text into the other, whatever they are', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { diff, addedLines, removedLines } = unifiedDiff({ path: 'f', before, after });
        expect(diff === '' ? before : applyDiff(before, diff)).toBe(after);
        const lines = diff.split('\n').slice(2);
        expect(lines.filter((line) => line.startsWith('+'))).toHaveLength(addedLines);
        expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(removedLines);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the least that has to change', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { addedLines, removedLines } = unifiedDiff({ path: 'f', before, after });
        expect(addedLines + removedLines).toBe(leastChange(before.split(/(?<=\n)/), after.split(/(?<=\n)/)));
      }),
    );
  });

  it('ends for large texts that have nothing in common, and cuts what it shows of them', () => {
    const before = Array.from({ length: 300_000 }, (_, line) => `old ${line}\n`).join('');
    const after = Array.from({ length: 300_000 }, (_, line) => `new ${line}\n`).join('');
    const { diff, addedLines } = unifiedDiff({ path: 'f', before, after });
    expect(addedLines).toBe(300_000);
    expect(diff.length).toBeLessThan(1_000_100);
    expect(diff.endsWith('\n\\ The diff is longer: the rest is not shown\n')).toBe(true);
  });

  it('finds two changes at both ends of a large text', () => {
    const lines = Array.from({ length: 200_000 }, (_, line) => `line ${line % 7}\n`);
    const before = lines.join('');
    const after = ['first\n', ...lines.slice(1, -1), 'last\n'].join('');
    expect(unifiedDiff({ path: 'f', before, after })).toMatchObject({ addedLines: 2, removedLines: 2 });
  });
});

/** By the table of all beginnings of both. */
function leastChange(olds: readonly string[], news: readonly string[]): number {
  const [before, after] = [olds, news].map((lines) => lines.filter((line) => line !== ''));
  let above = Array.from({ length: (after?.length ?? 0) + 1 }, (_, index) => index);
  for (const old of before ?? []) {
    const row = [(above[0] ?? 0) + 1];
    (after ?? []).forEach((line, index) => {
      const changed = Math.min(above[index + 1] ?? 0, row[index] ?? 0) + 1;
      row.push(line === old ? (above[index] ?? 0) : changed);
    });
    above = row;
  }
  return above.at(-1) ?? 0;
}
