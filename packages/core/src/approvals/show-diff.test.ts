import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../edits/unified-diff.ts';
import { presentApproval, showDiff } from './present-approval.ts';

const evil = '+  "scripts": { "postinstall": "./evil.sh" }';

describe('HOST-M8: showDiff', () => {
  it('shows a short diff as it is', () => {
    expect(showDiff(' a\n-b\n+c\n')).toEqual(['|  a', '| -b', '| +c']);
  });

  it('is null if a line that comes or goes has no room', () => {
    expect(showDiff(`${'+"x": 1,\n'.repeat(5_000)}${evil}\n`)).toBeNull();
    expect(showDiff(`+${'x'.repeat(5_000)}${evil}\n`)).toBeNull();
    expect(showDiff(`-${'x'.repeat(5_000)}\n`)).toBeNull();
  });

  it('shows what comes after thousands of blanks', () => {
    expect(showDiff(`+${' '.repeat(5_000)}evil()\n`)).toEqual(['| +⟨5,000 blanks⟩evil()']);
    expect(showDiff(`+${'\t\u00a0\u2800\u3000'.repeat(500)}evil()\n`)).toEqual(['| +⟨2,000 blanks⟩evil()']);
    expect(showDiff(`${'+\n'.repeat(900)}${'+  \n'.repeat(100)}${evil}\n`)).toEqual([
      '| +⟨1,000 blank lines⟩',
      `| ${evil}`,
    ]);
  });

  it('keeps indentation and single blank lines', () => {
    const diff = `+${' '.repeat(24)}a\n+\n+\n+b\n`;
    expect(showDiff(diff)?.join('\n')).toBe(diff.replace(/^/gm, '| ').slice(0, -3));
  });

  it('does not take text of a file for what it writes itself', () => {
    expect(showDiff('+⟨5,000 blanks⟩x\n')).toEqual(['| +\\u{27e8}5,000 blanks⟩x']);
  });

  it('leaves out unchanged lines before it gives up, and says so', () => {
    const context = ` ${'c'.repeat(700)}\n`;
    expect(showDiff(`${context.repeat(3)}${evil}\n${context.repeat(3)}`)).toEqual([
      `| ${evil}`,
      '(6 unchanged lines around them not shown)',
    ]);
  });

  it('shows every word of every change, or nothing', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', '⟨', '\u202e'), maxLength: 60 });
    const text = fc.array(line, { maxLength: 80 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { diff } = unifiedDiff({ path: 'a', before, after });
        const shown = showDiff(diff)?.join('\n');
        const words = (of: string): number => of.match(/[ab]+/g)?.length ?? 0;
        const changed = diff.split('\n').filter((each) => /^[+-]/.test(each));
        expect(shown === undefined || words(shown) >= words(changed.join('\n').replaceAll('\u202e', ''))).toBe(true);
      }),
    );
  });
});

it.each([
  ['--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n', '1 line added, 1 removed'],
  ['--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a list\n+++ a list\n@@ -9 +9,2 @@\n+c\n', '2 lines added, 1 removed'],
  ['', '0 lines added, 0 removed'],
])('a question counts the lines of the hunks of %j, and not the names of the file', (diff, counts) => {
  const subject = { type: 'change', path: 'x', diff } as const;
  const names = { handle: 'h', kind: null, wholeServer: null, lasting: null };
  const question = { ...names, subject, reason: 'It is protected.', deadlineAtMs: 1 };
  expect(presentApproval(question)?.message.split('\n')[0]).toBe(`Gemini asks to change x: ${counts}`);
});
