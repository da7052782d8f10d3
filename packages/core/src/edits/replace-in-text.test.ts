import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Replacement } from '../ports/workspace/file-steps.ts';
import { replaceInText } from './replace-in-text.ts';

function one(oldText: string, newText: string, all = false): Replacement {
  return { oldText, newText, all };
}

function replaced(text: string, ...replacements: readonly Replacement[]): string | null {
  const result = replaceInText(text, replacements);
  return result.ok ? result.text : null;
}

function faultOf(text: string, ...replacements: readonly Replacement[]): unknown {
  const result = replaceInText(text, replacements);
  return result.ok ? null : result.fault;
}

describe('replaceInText with a text that is there as it is', () => {
  it('replaces the only occurrence', () => {
    expect(replaceInText('a b c', [one('b', 'x')])).toEqual({ ok: true, text: 'a x c', notes: [] });
  });

  it('makes several in order, each on what the one before it left', () => {
    expect(replaced('a b', one('a', 'c'), one('c b', 'd'))).toBe('d');
  });

  it('makes no replacement if one cannot be made', () => {
    expect(faultOf('a b', one('a', 'c'), one('z', 'd'))).toMatchObject({
      code: 'no-match',
      message: 'Old text 2 is not in the file.',
    });
  });

  it('replaces all occurrences where all are asked for', () => {
    expect(replaced('aXaXa', one('a', 'b', true))).toBe('bXbXb');
    expect(replaced('aaaaa', one('aa', 'b', true))).toBe('bba');
  });

  it('refuses a text that is there several times, also where its places overlap', () => {
    expect(faultOf('a\nb\na\n', one('a', 'c'))).toEqual({
      code: 'many-matches',
      message: 'The old text is in the file 2 times: at lines 1, 3.',
      hint: 'Give more of the lines around it, so that it is there once, or ask for all to be replaced.',
    });
    expect(faultOf('aaa', one('aa', 'c'))).toMatchObject({ code: 'many-matches' });
  });

  it.each(['$&', '$1', '$$', "$'", '$`', '\\n'])('takes %s in the new text literally', (newText) => {
    expect(replaced('a b c', one('b', newText))).toBe(`a ${newText} c`);
    expect(replaced('b b', one('b', newText, true))).toBe(`${newText} ${newText}`);
  });

  it('takes signs of patterns in the old text literally', () => {
    expect(replaced('a.*b axb', one('a.*b', 'c'))).toBe('c axb');
  });

  it('refuses an empty old text, and one that the new text equals', () => {
    expect(faultOf('a', one('', 'b'))).toMatchObject({ code: 'invalid-arguments' });
    expect(faultOf('a', one('a', 'a'))).toMatchObject({ code: 'invalid-arguments' });
  });

  it('does what cutting and joining does, for whatever text', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$', '&'), maxLength: 12 });
    fc.assert(
      fc.property(word, word, word, (before, old, after) => {
        const text = `${before}<${old}>${after}`;
        expect(replaced(text, one(`<${old}>`, '$&'))).toBe(`${before}$&${after}`);
      }),
    );
  });
});

describe('replaceInText and the ends of lines', () => {
  it('finds a text with \\n where the file has \\r\\n, and writes \\r\\n', () => {
    expect(replaced('a\r\nb\r\nc\r\n', one('a\nb', 'x\ny\nz'))).toBe('x\r\ny\r\nz\r\nc\r\n');
  });

  it('writes \\r\\n for more lines in the place of a piece of one', () => {
    expect(replaced('a\r\nb\r\n', one('b', 'x\ny'))).toBe('a\r\nx\r\ny\r\n');
  });

  it('finds a text with \\r\\n where the file has \\n', () => {
    expect(replaced('a\nb\nc', one('a\r\nb', 'x\r\ny'))).toBe('x\ny\nc');
  });

  it('changes line ends if the replacement asks for it', () => {
    expect(replaced('a\r\nb', one('a\r\n', 'a\n'))).toBe('a\nb');
    expect(replaced('a\nb', one('a\n', 'a\r\n'))).toBe('a\r\nb');
  });

  it('does the same in a file with \\r\\n as in one with \\n', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '\n', 'ab\n', '  b'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    const asReturns = (each: string): string => each.replaceAll('\n', '\r\n');
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (file, oldText, newText, all) => {
        fc.pre(file.includes('\n'));
        const plain = replaced(file, one(oldText, newText, all));
        const withReturns = replaced(asReturns(file), one(oldText, newText, all));
        expect(withReturns).toBe(plain === null ? null : asReturns(plain));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a byte order mark, whether or not the model writes it', () => {
    expect(replaced('\uFEFFa\nb\n', one('a\nb', 'c'))).toBe('\uFEFFc\n');
    expect(replaced('\uFEFFa\nb\n', one('\uFEFFa', '\uFEFFc'))).toBe('\uFEFFc\nb\n');
    expect(replaced('\uFEFFif x:\n  y\n', one('  if x:\n    y', '  if z:\n    y'))).toBe('\uFEFFif z:\n  y\n');
  });

  it('keeps a missing last line end', () => {
    expect(replaced('a\nb', one('b', 'c'))).toBe('a\nc');
    expect(replaced('a\nb', one('a\nb\n', 'a\nc\n'))).toBe('a\nc');
  });
});

describe('replaceInText without the white space at the ends of lines', () => {
  it('takes over the indentation of the file, and says so', () => {
    const file = 'class A {\n\trun() {\n\t\tgo();\n\t}\n}\n';
    const edit = one('  run() {\n    go();\n  }', '  run() {\n    if (a) {\n      go();\n    }\n  }');
    expect(replaceInText(file, [edit])).toEqual({
      ok: true,
      text: 'class A {\n\trun() {\n\t\tif (a) {\n\t\t\tgo();\n\t\t}\n\t}\n}\n',
      notes: [
        'The old text was found at lines 2 to 4 only without the white space at both ends of lines: the new text got the indentation of the file.',
      ],
    });
  });

  it('finds a line that has white space at its end', () => {
    expect(replaced('a\nb  \nc\n', one('a\nb\nc', 'x'))).toBe('x\n');
  });

  it('refuses where several places fit', () => {
    expect(faultOf('  a()\nb\n    a()\n', one('\ta()', 'c'))).toMatchObject({
      code: 'many-matches',
      message:
        'The old text is in the file 2 times without the white space at both ends of lines, which it lacks as it is: at lines 1, 3.',
    });
  });

  it('never compares parts of lines so, and no blank lines', () => {
    expect(faultOf('foo( a )\n', one('foo(a)', 'x'))).toMatchObject({ code: 'no-match' });
    expect(faultOf('a\n \nb\n', one('\t\n', 'x'))).toMatchObject({ code: 'no-match' });
  });
});

describe('what replaceInText says of a text that is nowhere', () => {
  it('names the nearest places with what differs', () => {
    const file = 'function add(a, b) {\n  return a + b;\n}\n\nfunction sub(a, b) {\n  return a - b;\n}\n';
    expect(faultOf(file, one('function add(a, b) {\n  return a+b;\n}', 'x'))).toEqual({
      code: 'no-match',
      message: 'The old text is not in the file.',
      hint: 'Nearest: line 1 (line 2 differs in white space: the file has `  return a + b;`). View the file, and give the old text exactly as it is there.',
    });
    expect(faultOf(file, one('  return a * b;', 'x'))).toMatchObject({
      hint: expect.stringContaining('Nearest: line 2 (it is `  return a + b;`, and not `  return a * b;`); line 6'),
    });
  });

  it('says when an earlier replacement took it away, and when the new text is there already', () => {
    expect(faultOf('abc', one('abc', 'x'), one('abc', 'y'))).toMatchObject({
      hint: expect.stringContaining('A replacement before it in this call took it away.'),
    });
    expect(faultOf('const a = 2;', one('const a = 1;', 'const a = 2;'))).toMatchObject({
      hint: expect.stringContaining('The new text is there already'),
    });
  });

  it("shows the file's text with visible control characters, and cut", () => {
    const file = `const word = "\u001b[2J${'x'.repeat(1_000)}";\n`;
    expect(faultOf(file, one('const word = 1', 'x'))).toMatchObject({
      hint: expect.stringMatching(/^Nearest.{0,400}$/),
    });
    expect(faultOf(file, one('const word = 1', 'x'))).toMatchObject({ hint: expect.stringContaining('\\u{1b}[2J') });
  });
});

describe('replaceInText with texts that are made to take long', () => {
  const size = 4_000_000;

  it.each([
    ['a beginning that is nowhere', 'a'.repeat(size), `b${'a'.repeat(size / 2)}`],
    ['an end that is nowhere', 'a'.repeat(size), `${'a'.repeat(size / 2)}b`],
    ['blank lines', '\n'.repeat(size / 4), `${'\n'.repeat(size / 8)}b`],
    ['equal lines', 'a\n'.repeat(size / 8), `${' a\n'.repeat(size / 16)}b`],
  ])('ends for %s', (_, text, oldText) => {
    expect(faultOf(text, one(oldText, 'x'))).toMatchObject({ code: 'no-match' });
  });

  it('refuses replacements that make a text grow without end', () => {
    expect(faultOf('a'.repeat(50_000), one('a', 'b'.repeat(10_000), true))).toMatchObject({ code: 'too-large' });
    expect(faultOf('a'.repeat(size), one('a', 'b', true))).toMatchObject({ code: 'many-matches' });
  });
});
