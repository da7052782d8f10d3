import { describe, expect, it } from 'vitest';
import { TextSoFar } from './progress-reporter.ts';

function describeAll(...pieces: readonly string[]): string {
  const text = new TextSoFar();
  for (const piece of pieces) {
    text.push(piece);
  }
  return text.describe(null);
}

describe('TextSoFar', () => {
  it.each([
    ['one line', ['Hello'], '5 characters · Hello'],
    ['a line in pieces', ['Hel', 'lo', ' ', 'you'], '9 characters · Hello you'],
    ['the line that has begun', ['one\ntwo\nth'], '10 characters · th'],
    ['the line that is over', ['one\n', 'two\n', '\n  \n'], '12 characters · two'],
    ['a line after empty ones', ['one\n', '\n', '  ', 'two'], '10 characters · two'],
    ['line ends of every kind', ['a\r\nb\rc\u2028d\u2029e'], '10 characters · e'],
    ['a line end in two pieces', ['one\r', '\ntwo'], '8 characters · two'],
    ['white space within the line', ['a\t b'], '4 characters · a b'],
    ['empty lines only', ['\n \n'], '3 characters'],
    ['nothing', [], '0 characters'],
  ])('tells the last line: %s', (_, pieces, described) => {
    expect(describeAll(...pieces)).toBe(described);
  });

  it('tells the end of a line that is too long, until the next line begins', () => {
    const text = new TextSoFar();
    text.push(`begin ${'x'.repeat(2_000)}`);
    text.push(' end');
    expect(text.describe(null)).toBe(`2,010 characters · …${'x'.repeat(96)} end`);
    text.push('\nshort');
    expect(text.describe(null)).toBe('2,016 characters · short');
  });

  it('puts a note before the line', () => {
    const text = new TextSoFar();
    text.push('Hello');
    expect(text.describe('8 s')).toBe('5 characters · 8 s · Hello');
  });

  it('does not lose a line that begins with a character in two halves', () => {
    expect(describeAll('one\n', '\ud83d', '\ude00 two')).toBe('10 characters · 😀 two');
  });
});
