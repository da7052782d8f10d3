import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceInText } from './replace-in-text.ts';

function edit(file: string, oldText: string, newText: string): string | readonly [string, string] {
  const result = replaceInText(file, [{ oldText, newText, all: false }]);
  return result.ok ? result.text : [result.fault.code, `${result.fault.message} ${result.fault.hint}`];
}

const unclear = [
  'no-match',
  expect.stringMatching(/how the new text is to be indented .* is not clear.*Nearest: line \d/),
];

describe('HOST-M6: an inexact edit that could mean two things', () => {
  it.each([
    ['keys of YAML', 'a:\n  b:\n    c: 1\n  d: 2\n', 'b:\nc: 1\nd: 2\n', 'b:\nc: 1\nnew: 3\nd: 2\n'],
    ['a return of Python', 'if x:\n    return 1\nreturn 2\n', 'if x:\nreturn 1\nreturn 2', 'if x:\nreturn 1\nreturn 3'],
    ['one of two brackets', 'a {\n  b {\n  }\n}\n', 'b {\n}\n}', 'b {\n}'],
    ['a new depth whose width the file does not show', 'f() {\n\ta();\n}\n', 'a();  ', 'if (b) {\n  a();\n}'],
    ['a depth that may be one step or two', '\t\ta()\n', '    a()', '    if x:\n        b()'],
    ['half a step', 'f:\n\tg:\n\t\th()\n', 'f:\n    g:\n        h()', 'f:\n    g:\n      h()\n'],
    ['depths that contradict each other', 'a:\n      b\n    c\n', ' a:\n  b\n   c', ' a:\n  b\n   c\n    d'],
  ])('is refused with the nearest places: %s', (_, file, oldText, newText) => {
    expect(edit(file, oldText, newText)).toEqual(unclear);
  });

  it.each([
    ['lines that stay', 'a:\n  b:\n    c: 1\n  d: 2\n', 'b:\nc: 1\nd: 2\n', 'b:\nd: 2\n', 'a:\n  b:\n  d: 2\n'],
    ['brackets in order', 'a {\n  b {\n  }\n}\n', 'b {\n}\n}', 'b {\n}\n}\n// end', ['no-match', expect.any(String)]],
    [
      'a docstring',
      'def f():\n    """\n    One\n      two  \n    """\n    go()\n',
      'def f():\n"""\nOne\ntwo\n"""\ngo()',
      'def f():\n"""\nOne\ntwo\n"""',
      'def f():\n    """\n    One\n      two  \n    """\n',
    ],
    ['four spaces for a tab', 'f:\n\tg()\n', '    g()', '    if x:\n        g()', 'f:\n\tif x:\n\t\tg()\n'],
    [
      'two spaces for a tab',
      'f:\n\tg:\n\t\th()\n',
      '  g:\n    h()',
      '  g:\n    if x:\n      h()',
      'f:\n\tg:\n\t\tif x:\n\t\t\th()\n',
    ],
    ['a tab for four spaces', 'f:\n    g()\n', '\tg()', '\tif x:\n\t\tg()', 'f:\n    if x:\n        g()\n'],
    [
      'two spaces for four',
      'f:\n    g:\n        h()\n',
      'f:\n  g:\n    h()',
      'f:\n  g:\n    if x:\n      h()',
      'f:\n    g:\n        if x:\n            h()\n',
    ],
    [
      'a shift',
      '  f:\n    g:\n      h()\n',
      'f:\n  g:\n    h()',
      'f:\n  g:\n    if x:\n      h()',
      '  f:\n    g:\n      if x:\n        h()\n',
    ],
    ['no indentation, one depth', '    a()\n    b()\n', 'a()\nb()', 'a()\nc()\nb()', '    a()\n    c()\n    b()\n'],
    [
      'white space at the end alone',
      '  a()  \n  b()\n',
      '  a()\n  b()',
      '  a()\n    c()\n  b()',
      '  a()  \n    c()\n  b()\n',
    ],
  ])('is applied if it is unique: %s', (_, file, oldText, newText, expected) => {
    expect(edit(file, oldText, newText)).toEqual(expected);
  });

  it('leaves every line alone that old and new text share, whatever indentation the old text has lost', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', '}', '');
    const line = fc.tuple(fc.constantFrom('', '  ', '    ', '\t', '\t\t'), word, fc.constantFrom('', ' '));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.nat(7), (lines, place) => {
        const file = lines.map((parts) => `${parts.join('')}\n`);
        const bare = file.map((each) => `${each.trim()}\n`);
        const index = place % file.length;
        fc.pre(!file.join('').includes(bare.join('')));
        const given = replaceInText(file.join(''), [
          { oldText: bare.join(''), newText: bare.toSpliced(index, 1).join(''), all: false },
        ]);
        const plain = (text: string): string => text.replace(/[ \t]+$/gm, '');
        const isAmong = file.some(
          (_, gone) => given.ok && plain(given.text) === plain(file.toSpliced(gone, 1).join('')),
        );
        expect(!given.ok || isAmong).toBe(true);
      }),
    );
  });
});

describe('HOST-M6: a new text that stands for other lines', () => {
  const elisions = [
    ...[
      '// ... existing code ...',
      '# ... rest of the file unchanged',
      '// rest of the file unchanged',
      '//... existing code...',
    ],
    ...[
      '// ... rest of code ...',
      '(rest of methods ...)',
      '// unchanged code ...',
      '<!-- ... existing content ... -->',
    ],
    ...[
      '{/* ... other components ... */}',
      '-- remaining rows unchanged',
      '… existing tests …',
      '[... rest of file ...]',
    ],
    ...[
      '// Existing imports here',
      '... (remaining code unchanged) ...',
      '# ... (omitted for brevity)',
      'rest of code...',
    ],
    ...[
      'f() { // ... rest of function',
      'x = 1  # ... same as before ...',
      '/* the rest of the class remains the same */',
    ],
    ...[
      '// Rest of the implementation...',
      '# keep existing code',
      '// ... other methods unchanged ...',
      '% ... unchanged ...',
    ],
  ];

  it.each(elisions)('is refused: %s', (line) => {
    expect(edit('a\nb\nc\n', 'b', `x\n  ${line}\ny`)).toEqual([
      'invalid-arguments',
      expect.stringContaining('abbreviates lines'),
    ]);
  });

  it.each(elisions)('is taken if the old text has the same line: %s', (line) => {
    expect(edit(`a\n${line}\nc\n`, `${line}\nc`, `${line}\nd`)).toBe(`a\n${line}\nd\n`);
  });

  it.each([
    ...[
      '...',
      'pass  # ...',
      'const [first, ...rest] = all;',
      '// The rest of the function handles errors.',
      'loading...',
    ],
    ...[
      'def f(): ...',
      '// existing users keep their names',
      'The existing code is slow.',
      '* rest of the world: 4',
      '// ...',
    ],
    ...[
      "'// ... existing code ...',",
      'print("rest of file ...")',
      '// same',
      '# Other options',
      'export * from "./rest";',
    ],
  ])('is not applied: %s', (line) => {
    expect(edit('a\nb\nc\n', 'b', line)).toBe(`a\n${line}\nc\n`);
  });

  it('takes a time that grows with the length alone', () => {
    const line = `// ${'the rest of the '.repeat(12)}`;
    expect(edit('a\nb\n', 'b', `${line}\n`.repeat(50_000))).toContain('rest of the');
  });
});

describe('HOST-M6: an old text that looks like the file and differs by a character', () => {
  it.each([
    ['const a = "cafe\u0301";', 'const a = "café";', 'at character 15 the file has U+0065, the old text U+00E9'],
    ['say(“hello there”);', 'say("hello there");', 'at character 5 the file has U+201C, the old text U+0022'],
    ['a long line \u2014 here', 'a long line - here', 'at character 13 the file has U+2014, the old text U+002D'],
    ['let\u00a0value = 1;', 'let value = 1;', 'at character 4 the file has U+00A0, the old text U+0020'],
    ['let value\u200b = 1;', 'let value = 1;', 'at character 10 the file has U+200B, the old text U+0020'],
  ])('is shown by its code points: %j', (file, oldText, words) => {
    expect(edit(`x\n${file}\ny\n`, oldText, 'z')).toEqual(['no-match', expect.stringContaining(words)]);
  });
});
