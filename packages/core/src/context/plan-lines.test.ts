import { describe, expect, it } from 'vitest';
import { parseLineRange } from './parse-line-range.ts';
import { finishSteps, type LinesPlan, type LinesRequest, planLines } from './plan-lines.ts';

function request(source: string): LinesRequest {
  return { source, asked: parseLineRange(source)?.asked ?? { ok: false, problem: 'not parsed' } };
}

function plan(text: string, requests: readonly LinesRequest[]): LinesPlan {
  return finishSteps(planLines({ length: text.length, codeAt: (place) => text.charCodeAt(place) }, requests));
}

const file = 'one\ntwo\r\nthree\nfour';

describe('planLines', () => {
  it('makes one part of what overlaps or touches, and says who asked for it', () => {
    const planned = plan(file, ['a:4', 'a:1', './a:2-2,4-9'].map(request));
    expect(planned.misses).toEqual([]);
    expect(planned.parts).toEqual([
      { lines: { first: 1, last: 2 }, start: 0, end: 9, isWholeFile: false, sources: ['a:1', './a:2-2,4-9'] },
      { lines: { first: 4, last: 4 }, start: 15, end: 19, isWholeFile: false, sources: ['a:4', './a:2-2,4-9'] },
    ]);
  });

  it('marks a part that is the whole file', () => {
    expect(plan(file, [request('a:1-2'), request('a:3-')]).parts).toMatchObject([
      { lines: { first: 1, last: 4 }, isWholeFile: true },
    ]);
  });

  it('lists names whose lines do not exist, and keeps the rest', () => {
    const planned = plan(file, ['a:5', 'a:1,90-99', 'a:3-90', 'a:0', 'a:4-9'].map(request));
    expect(planned.parts.map(({ lines }) => lines)).toEqual([
      { first: 1, last: 1 },
      { first: 3, last: 4 },
    ]);
    expect(planned.misses).toEqual([
      { source: 'a:5', detail: 'the file has 4 lines' },
      { source: 'a:1,90-99', detail: 'the file has 4 lines' },
      { source: 'a:0', detail: 'lines are counted from 1' },
    ]);
  });

  it.each([
    ['', 'the file has 0 lines'],
    ['x\n', 'the file has 1 line'],
  ])('of %j: %s', (whole, detail) => {
    expect(plan(whole, [request('a:2')])).toEqual({ parts: [], misses: [{ source: 'a:2', detail }] });
  });
});
