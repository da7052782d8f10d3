import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Grounding, GroundingSource, GroundingSupport } from '../ports/gemini-runner/grounding.ts';
import { foundSources } from './found-sources.ts';
import { markSources, sourceLines } from './search-web.ts';

const pages: readonly GroundingSource[] = ['a', 'b', 'c'].map((name) => ({
  url: `https://${name}.example/`,
  title: name,
  isRedirect: false,
}));

/** The marked text, and the lines below it. */
function cite(text: string, known: Partial<Grounding>, limit: number | null = null): readonly string[] {
  const found = foundSources(text, { queries: [], sources: pages, supports: [], ...known }, limit);
  return [markSources(text, found), ...sourceLines(found)];
}

function marked(text: string, supports: readonly GroundingSupport[]): string {
  return cite(text, { supports })[0] ?? '';
}

describe('markSources', () => {
  it.each<[string, string, readonly GroundingSupport[], string]>([
    ['none without supports', 'Red.', [], 'Red.'],
    ['one after the words', 'Red. Old.', [{ start: 0, end: 4, sources: [0] }], 'Red. [1] Old.'],
    ['before white space', 'Red.\n\nOld.', [{ start: 0, end: 6, sources: [0] }], 'Red. [1]\n\nOld.'],
    [
      'those of one place together, in order',
      'Red. Old.',
      [
        { start: 5, end: 9, sources: [1] },
        { start: 0, end: 9, sources: [0] },
      ],
      'Red. Old. [1, 2]',
    ],
    [
      'of parts that overlap',
      'Red and old.',
      [
        { start: 0, end: 7, sources: [0] },
        { start: 4, end: 12, sources: [1] },
      ],
      'Red and [1] old. [2]',
    ],
    ['after an accent', 'cafe\u0301 au lait', [{ start: 0, end: 4, sources: [0] }], 'cafe\u0301 [1] au lait'],
    ['none after white space alone', 'a   b', [{ start: 1, end: 4, sources: [0] }], 'a   b'],
  ])('puts %s', (_, text, supports, expected) => {
    expect(marked(text, supports)).toBe(expected);
  });

  it.each([
    [-1, 2],
    [2, 1],
    [1, 1],
    [0, 99],
    [0.5, 2],
    [Number.NaN, 2],
  ])('puts none for the places %s to %s of a runner that is wrong', (start, end) => {
    expect(marked('Red.', [{ start, end, sources: [0] }])).toBe('Red.');
  });

  it('loses nothing of the text, and marks nothing but numbers of the list', () => {
    const place = fc.integer({ min: -2, max: 40 });
    const support = fc.record({ start: place, end: place, sources: fc.array(fc.integer({ min: -1, max: 4 })) });
    const words = fc.array(fc.constantFrom('a', ' ', '\n', 'e\u0301', '\u6f22', '\u{1f98a}'), { maxLength: 30 });
    fc.assert(
      fc.property(words, fc.array(support), (pieces, supports) => {
        const text = pieces.join('');
        const shown = marked(text, supports);
        expect(shown.replace(/ \[[1-3](?:, [1-3])*\]/g, '')).toBe(text);
        expect(shown).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});

describe('sourceLines', () => {
  it('are empty if nothing was reported', () => {
    expect(cite('Red. \n', { sources: [] })).toEqual(['Red. \n']);
  });

  it('show titles and queries on a line each, without what acts on a terminal, and cut', () => {
    const title = `a\n[9] forged\u001b[2J\u202e${'t'.repeat(900)}`;
    const lines = cite('Red.', {
      queries: ['why\nred', '', ...Array.from({ length: 14 }, (_, index) => `q${index}`)],
      sources: [
        { url: 'https://a.example/', title, isRedirect: false },
        { url: 'https://b.example/', title: '', domain: 'b.example', isRedirect: false },
        { url: 'https://c.example/', title: '', isRedirect: false },
      ],
    });
    const [, heading, first = '', second, third, queries = ''] = lines;
    expect(heading).toBe('Sources:');
    expect(first).toMatch(/^\[1\] a \[9\] forgedt+: https:\/\/a\.example\/$/);
    expect(first.length).toBeLessThan(600);
    expect([second, third]).toEqual(['[2] (b.example): https://b.example/', '[3] https://c.example/']);
    expect(queries).toMatch(/^Searched for: "why red", "q0", .*"q8", 5 more$/);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://a b', 'https://a.example/\u0007'])(
    'have no source with the address %j',
    (url) => {
      const bad = { url, title: 'bad', isRedirect: false };
      const supports = [{ start: 0, end: 4, sources: [0, 1] }];
      expect(cite('Red.', { sources: [bad, ...pages.slice(0, 1)], supports })).toEqual([
        'Red. [1]',
        'Sources:',
        '[1] a: https://a.example/',
      ]);
    },
  );

  it('have at most as many sources as were asked for, those first that the text rests on', () => {
    const supports = [
      { start: 0, end: 4, sources: [2] },
      { start: 0, end: 3, sources: [0] },
    ];
    expect(cite('Red.', { supports }, 1)).toEqual(['Red. [1]', 'Sources:', '[1] c: https://c.example/']);
    const many = Array.from({ length: 300 }, (_, index) => ({ ...pages[0], url: `https://a.example/${index}` }));
    const sources = many.map((source) => ({ title: '', isRedirect: false, ...source }));
    expect(cite('Red.', { sources })).toHaveLength(52);
  });
});
