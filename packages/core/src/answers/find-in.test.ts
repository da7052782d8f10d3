import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '../text/utf8-length.ts';
import { findIn } from './find-in.ts';

const text = ['first', 'Second (a+b)', 'third', 'fourth', 'fifth', 'SECOND', 'last'].join('\n');

describe('findIn', () => {
  it.each([
    ['a line between its neighbours', 'third', ['2- Second (a+b)', '3: third', '4- fourth'], 1],
    [
      'capitals or not, with what lies between left out',
      'second',
      ['1- first', '2: Second (a+b)', '3- third', '--', '5- fifth', '6: SECOND', '7- last'],
      2,
    ],
    ['characters that mean something to a pattern', '(A+B)', ['1- first', '2: Second (a+b)', '3- third'], 1],
    ['neighbours once', 'f', ['1: first', '2- Second (a+b)', '3- third', '4: fourth', '5: fifth', '6- SECOND'], 4],
    ['what goes over a line end', 'h\nfif', ['3- third', '4: fourth', '5- fifth'], 1],
    ['nothing', 'sixth', [], 0],
    ['nothing of nothing', '', [], 0],
  ])('shows %s', (_, needle, lines, total) => {
    expect(findIn(text, needle, 10_000)).toEqual({ text: lines.join('\n'), total, shown: total, next: null });
  });

  it.each([
    ['an empty first line', '\nhere\n', ['1- ', '2: here'].join('\n')],
    ['line ends of Windows', 'a\r\nhere\r\nb', ['1- a', '2: here', '3- b'].join('\n')],
    ['letters that grow in small', '\u0130\u0130\u0130 here', '1: \u0130\u0130\u0130 here'],
  ])('finds its way through %s', (_, whole, found) => {
    expect(findIn(whole, 'HERE', 10_000).text).toBe(found);
  });

  it('shows of a long line the text around each match', () => {
    const gap = 'x'.repeat(500_000);
    const found = findIn(`a\n${gap}needle, needle${gap}needle\nb`, 'Needle', 10_000);
    expect(found).toMatchObject({ total: 3, shown: 3, next: null });
    const around = 'x'.repeat(150);
    expect(found.text.split('\n')).toEqual([
      '1- a',
      `2: (from offset ${2 + 500_000 - 150}) …${around}needle, needle${'x'.repeat(142)}…`,
      `2: (from offset ${2 + 1_000_014 - 150}) …${around}needle`,
      '3- b',
    ]);
  });

  it('shows at most fifty matches, counts all, and returns the position of the next', () => {
    const whole = 'needle\n\n\n'.repeat(1_000);
    expect(findIn(whole, 'needle', 100_000)).toMatchObject({
      total: 1_000,
      shown: 50,
      next: { line: 151, offset: 450 },
    });
  });

  it('shows no more than there is room for', () => {
    const hostile = fc.array(
      fc.constantFrom('\n', 'a', 'A\u{1f600}', 'x'.repeat(500), '\u6f22'.repeat(150), '\ud83d'),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(hostile, fc.nat(3_000), (pieces, maxBytes) => {
        const whole = pieces.join('');
        const found = findIn(whole, 'a', maxBytes);
        expect(utf8Length(found.text)).toBeLessThanOrEqual(maxBytes);
        expect(found.total).toBe(whole.split(/a/i).length - 1);
        expect(found.shown < found.total).toBe(found.next !== null);
        if (found.next !== null) {
          const { line, offset } = found.next;
          expect(whole.slice(offset, offset + 1).toLowerCase()).toBe('a');
          expect(whole.slice(0, offset).split('\n')).toHaveLength(line);
        }
      }),
    );
  });
});
