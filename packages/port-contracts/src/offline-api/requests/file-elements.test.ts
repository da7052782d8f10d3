import { describe, expect, it } from 'vitest';
import { parseFileElements } from './file-elements.ts';

describe('parseFileElements', () => {
  it('finds plain elements and those with a boundary', () => {
    const message = [
      'Intro',
      '<file path="a.txt">\none\n</file>',
      '<file size="3" path="b.txt" boundary="n0">\ntwo\n</file>\n\n</file boundary="n0">',
      'Question',
    ].join('\n');
    expect(parseFileElements(message)).toEqual({
      files: [
        { path: 'a.txt', text: 'one' },
        { path: 'b.txt', text: 'two\n</file>\n' },
      ],
      rest: 'Intro\n\n\nQuestion',
    });
  });

  it.each([
    ['never closed', '<file path="a.txt">\none'],
    ['closed with another boundary', '<file path="a.txt" boundary="x">\none\n</file boundary="y"></file>'],
    ['without a path', '<file name="a.txt">\none\n</file>'],
    ['without any content', '<file path="a.txt" error="not found" boundary="x" />'],
  ])('does not parse an element %s', (_, message) => {
    expect(parseFileElements(message)).toEqual({ files: [], rest: message });
  });

  it('preserves every text', () => {
    const contents = [
      '',
      '\n',
      '\n\n',
      '</file>',
      '<file path="x">\n',
      'a\r\nb\r\n',
      '\u0000 \ud800 😀',
      '</file boundary="B1">',
    ];
    const elements = contents.map(
      (text, index) => `<file path="${index}" boundary="B0">\n${text}\n</file boundary="B0">`,
    );
    const { files } = parseFileElements(elements.join('\n\n'));
    expect(files.map(({ text }) => text)).toEqual(contents);
  });
});
