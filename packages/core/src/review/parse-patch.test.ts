import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../edits/unified-diff.ts';
import { textAfterPatch } from './apply-patch.ts';
import { type ParsedPatch, parsePatch } from './parse-patch.ts';

const plain = '--- a/x.ts\t2026-01-01\n+++ b/x.ts\n@@ -1,3 +1,4 @@ function f\n a\n-b\n+B\n+C\n c\n';

function names(parsed: ParsedPatch): unknown {
  return parsed.ok ? parsed.files.map(({ oldPath, newPath }) => [oldPath, newPath]) : parsed.problem;
}

describe('a patch', () => {
  it('has lines with their numbers after the change', () => {
    const parsed = parsePatch(plain);
    expect(parsed.ok && parsed.files[0]?.hunks[0]?.lines).toEqual([
      { kind: ' ', text: 'a', newLine: 1 },
      { kind: '-', text: 'b', newLine: 2 },
      { kind: '+', text: 'B', newLine: 2 },
      { kind: '+', text: 'C', newLine: 3 },
      { kind: ' ', text: 'c', newLine: 4 },
    ]);
  });

  it.each([
    ['of diff', plain, [['x.ts', 'x.ts']]],
    [
      'of a mail, with words around it',
      `Subject: [PATCH]\n\n---\n x.ts | 2 +-\n\n${plain}-- \n2.39.5\n`,
      [['x.ts', 'x.ts']],
    ],
    [
      'of a new file',
      'diff --git a/n b/n\nnew file mode 100644\nindex 000..111\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n',
      [[null, 'n']],
    ],
    ['of an empty new file', 'diff --git a/n b/n\nnew file mode 100644\nindex 000..111\n', [[null, 'n']]],
    [
      'of a deleted file',
      'diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
      [['n', null]],
    ],
    ['of a renaming', 'diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n', [['o', 'n']]],
    [
      'with blanks in its name',
      'diff --git a/a b.ts b/a b.ts\nold mode 100644\nnew mode 100755\n',
      [['a b.ts', 'a b.ts']],
    ],
    [
      'with a quoted name',
      'diff --git "a/l\\nf\\"\\303\\244" "b/l\\nf\\"\\303\\244"\nold mode 100644\nnew mode 100755\n',
      [['l\nf"ä', 'l\nf"ä']],
    ],
    ['with line ends of Windows', plain.replaceAll('\n', '\r\n'), [['x.ts', 'x.ts']]],
    [
      'of two files',
      plain + plain.replaceAll('x.ts', 'y.ts'),
      [
        ['x.ts', 'x.ts'],
        ['y.ts', 'y.ts'],
      ],
    ],
  ])('%s names its files', (_, text, expected) => {
    expect(names(parsePatch(text))).toEqual(expected);
  });

  it.each([
    ['that was cut', plain.slice(0, -4), 'was cut or edited'],
    ['with more lines than it states', plain.replace('-1,3', '-1,2').replace(' c\n', '-c\n'), 'was cut or edited'],
    ['without a file', 'Please look at this.', 'names no file'],
  ])('%s is a problem', (_, text, problem) => {
    expect(names(parsePatch(text))).toEqual(expect.stringContaining(problem));
  });

  it('tells binary files and submodules', () => {
    const binary = parsePatch(
      'diff --git a/i.png b/i.png\nindex 1..2 100644\nBinary files a/i.png and b/i.png differ\n',
    );
    expect(binary).toMatchObject({ files: [{ isBinary: true, hunks: [] }] });
    const inner = parsePatch(
      'diff --git a/s b/s\nindex 1..2 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n',
    );
    expect(inner).toMatchObject({ files: [{ isSubmodule: true }] });
  });

  it('reads lines that look like its own marks as lines', () => {
    const text = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/y\n+++ b/y\n @@ -1 +1 @@\n';
    expect(parsePatch(text)).toMatchObject({ ok: true, files: [{ newPath: 'x', hunks: [{ lines: { length: 3 } }] }] });
  });

  const line = fc.constantFrom('', 'a', ' b', '-c', '+d', '@@ -1 +1 @@', '--- a/x', 'diff --git a/x b/x', '\\ x');
  const file = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((one) => `${one}\n`).join(''));

  it('of any two texts leads from one to the other, and is recognized in a text that has it', () => {
    fc.assert(
      fc.property(file, file, (before, after) => {
        fc.pre(before !== after && before !== '' && after !== '');
        const parsed = parsePatch(unifiedDiff({ path: 'x', before, after }).diff);
        const hunks = parsed.ok ? (parsed.files[0]?.hunks ?? []) : [];
        expect(parsed.ok && parsed.files.length).toBe(1);
        expect(textAfterPatch(after, hunks)).toBe(after);
        const applied = textAfterPatch(before, hunks);
        expect([before, after]).toContain(applied);
      }),
    );
  });
});

it('applies to no text that it does not fit', () => {
  const parsed = parsePatch(plain);
  const hunks = parsed.ok ? (parsed.files[0]?.hunks ?? []) : [];
  expect(textAfterPatch('a\nb\nc\n', hunks)).toBe('a\nB\nC\nc\n');
  expect(textAfterPatch('a\nB\nC\nc\nmore\n', hunks)).toBe('a\nB\nC\nc\nmore\n');
  expect(textAfterPatch('x\ny\nz\n', hunks)).toBeNull();
});
