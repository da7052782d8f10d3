import { describe, expect, it } from 'vitest';
import { GroundingReader } from './grounding-reader.ts';

const redirect = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ';
const page = (uri: unknown, title: unknown = 'A page', more: object = {}): object => ({ web: { uri, title, ...more } });
const pages = [page('https://a.example/1'), page('https://b.example/2'), page('https://c.example/3')];

type Segment = {
  readonly partIndex?: unknown;
  readonly startIndex?: unknown;
  readonly endIndex?: unknown;
  readonly text?: unknown;
};

function support(segment: Segment, groundingChunkIndices: unknown = [0]): object {
  return { segment, groundingChunkIndices };
}

/** As the API counts: in bytes from the beginning of the part. */
function segmentOf(part: string, text: string, partIndex?: number): Segment {
  const startIndex = Buffer.byteLength(part.slice(0, part.indexOf(text)));
  return {
    startIndex,
    endIndex: startIndex + Buffer.byteLength(text),
    text,
    ...(partIndex !== undefined && { partIndex }),
  };
}

function read(texts: readonly string[], metadata: object): ReturnType<GroundingReader['end']> {
  const reader = new GroundingReader();
  for (const text of texts) {
    reader.add([{ text }], null);
  }
  reader.add([], { webSearchQueries: ['foxes'], groundingChunks: pages, ...metadata });
  return reader.end();
}

/** What each support covers, and the places of what it rests on. */
function covered(
  texts: readonly string[],
  supports: readonly unknown[],
): readonly (readonly [string, readonly number[]])[] {
  const whole = texts.join('');
  const found = read(texts, { groundingSupports: supports })?.supports ?? [];
  return found.map(({ start, end, sources }) => [whole.slice(start, end), sources]);
}

const hard =
  '\u{1f98a}\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u6f22\u5b57\u3002e\u0301te\u0301. Red. \u{1f1e9}\u{1f1ea}!';

describe('GroundingReader, places of supports', () => {
  it.each([
    '\u{1f98a}',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u6f22\u5b57\u3002',
    'e\u0301te\u0301.',
    'Red.',
    '\u{1f1e9}\u{1f1ea}!',
    hard,
  ])('finds %j by its bytes, however the stream was cut', (text) => {
    expect(covered([hard], [support(segmentOf(hard, text))])).toEqual([[text, [0]]]);
    expect(covered([...hard], [support(segmentOf(hard, text))])).toEqual([[text, [0]]]);
  });

  it.each<[string, Segment]>([
    ['a start inside of a character', { startIndex: 1, endIndex: 4, text: '\u{1f98a}' }],
    ['an end inside of a character', { startIndex: 0, endIndex: 3, text: '\u{1f98a}' }],
    ['places out of range', { startIndex: 5_000, endIndex: 6_000, text: '\u{1f98a}' }],
    ['places that are reversed', { startIndex: 4, endIndex: 0, text: '\u{1f98a}' }],
    ['negative places', { startIndex: -4, endIndex: 0, text: '\u{1f98a}' }],
    ['places in UTF-16 units', { startIndex: 0, endIndex: 2, text: '\u{1f98a}' }],
    ['a part that there is not', { partIndex: 7, startIndex: 90, endIndex: 94, text: '\u{1f98a}' }],
  ])('finds a text that occurs once in spite of %s', (_, segment) => {
    expect(covered([hard], [support(segment)])).toEqual([['\u{1f98a}', [0]]]);
  });

  it.each<[string, Segment]>([
    ['is not in the answer', { startIndex: 0, endIndex: 4, text: 'wolf' }],
    ['is in it more than once, and not at its bytes', { startIndex: 1, endIndex: 2, text: '. ' }],
    ['is empty', { startIndex: 0, endIndex: 0, text: '' }],
    ['is not text', { startIndex: 0, endIndex: 4, text: 7 }],
    ['has positions that are not numbers', { startIndex: '0', endIndex: 4, text: '\u{1f98a}' }],
    ['is not told, with an end inside of a character', { startIndex: 0, endIndex: 3 }],
    ['is not told, with places that are reversed', { startIndex: 4, endIndex: 0 }],
    ['is not told, out of range', { startIndex: 0, endIndex: 9_000 }],
    ['is longer than any sentence', { startIndex: 0, endIndex: 4, text: 'x'.repeat(30_000) }],
  ])('drops a segment whose text %s', (_, segment) => {
    expect(covered([`${hard} Red. `], [support(segment)])).toEqual([]);
  });

  it('uses offsets alone for a segment without text', () => {
    expect(covered([hard], [support({ endIndex: 4 })])).toEqual([['\u{1f98a}', [0]]]);
  });

  it('keeps supports that overlap, in the order of the text, and joins those of one place', () => {
    const text = 'One. Two. Three.';
    const supports = [
      support(segmentOf(text, 'Three.'), [2]),
      support(segmentOf(text, 'One. Two.'), [1, 0, 1]),
      support(segmentOf(text, 'Two. Three.'), [1]),
      support(segmentOf(text, 'One.'), [0]),
      support({ ...segmentOf(text, 'Three.'), startIndex: 999 }, [0]),
    ];
    expect(covered([text], supports)).toEqual([
      ['One.', [0]],
      ['One. Two.', [0, 1]],
      ['Two. Three.', [1]],
      ['Three.', [0, 2]],
    ]);
  });

  it.each([[[-1, 3, 1.5, '0', null, 1]], [[1, 1]]])(
    'takes the places %j of sources for what there is of them',
    (indices) => {
      expect(covered(['Red.'], [support(segmentOf('Red.', 'Red.'), indices)])).toEqual([['Red.', [1]]]);
    },
  );

  it.each([[[]], [[9]], ['0'], [null]])('drops a support with the places %j of sources', (indices) => {
    expect(covered(['Red.'], [support(segmentOf('Red.', 'Red.'), indices)])).toEqual([]);
  });
});

describe('GroundingReader, parts', () => {
  it('counts a part that came in pieces as one, and a thought or a call as one of its own', () => {
    const reader = new GroundingReader();
    reader.add([{ text: 'Hm, \u{1f98a}. ', thought: true }], null);
    reader.add([{ text: 'Foxes', thought: true }], null);
    reader.add([{ text: '\u{1f98a} are' }], null);
    reader.add([{ text: ' red. ' }, { executableCode: {} }, { text: '\u6f22 Red.' }], null);
    const groundingSupports = [
      support(segmentOf('\u{1f98a} are red. ', 'red.', 1)),
      support(segmentOf('\u6f22 Red.', 'Red.', 3)),
    ];
    reader.add([], { webSearchQueries: ['x'], groundingChunks: pages, groundingSupports });
    expect(reader.end()?.supports).toEqual([
      { start: 7, end: 11, sources: [0] },
      { start: 14, end: 18, sources: [0] },
    ]);
  });

  it('counts pieces as parts if the offsets fit them', () => {
    const reader = new GroundingReader();
    const parts = [{ text: 'Red. ' }, { text: 'Red. ' }];
    const segment = { partIndex: 1, startIndex: 0, endIndex: 4, text: 'Red.' };
    reader.add(parts, { webSearchQueries: ['x'], groundingChunks: pages, groundingSupports: [support(segment)] });
    expect(reader.end()?.supports).toEqual([{ start: 5, end: 9, sources: [0] }]);
  });
});

describe('GroundingReader, results', () => {
  it('returns null without a search', () => {
    const reader = new GroundingReader();
    reader.add([{ text: 'Red.' }], {});
    reader.add([], { webSearchQueries: ['', 7], groundingChunks: [page('javascript:alert(1)'), 7, {}] });
    expect(reader.end()).toBeNull();
  });

  it('returns queries, titles, hosts and which addresses are redirects', () => {
    const found = read(['Red.'], {
      webSearchQueries: ['foxes', ' why\nred ', 'foxes'],
      groundingChunks: [page(redirect, 'a.example', { domain: 'a.example' }), page('https://b.example/', null)],
    });
    expect(found).toEqual({
      queries: ['foxes', 'why red'],
      sources: [
        { url: redirect, title: 'a.example', domain: 'a.example', isRedirect: true },
        { url: 'https://b.example/', title: '', isRedirect: false },
      ],
      supports: [],
    });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://a b', 'https://a.b/\u202e', '', 7, null])(
    'leaves out a source with the address %j, and the places of the others stay',
    (uri) => {
      const groundingChunks = [page(uri), page('https://b.example/')];
      const found = read(['Red.'], {
        groundingChunks,
        groundingSupports: [support(segmentOf('Red.', 'Red.'), [0, 1])],
      });
      expect(found).toMatchObject({
        sources: [{ url: 'https://b.example/' }],
        supports: [{ start: 0, end: 4, sources: [0] }],
      });
    },
  );

  it('joins the results of several events, without duplicates', () => {
    const reader = new GroundingReader();
    const [first, second, third] = pages;
    const text = 'One. Two. Three.';
    const one = support(segmentOf(text, 'One.'), [0]);
    reader.add([{ text: 'One. ' }], { webSearchQueries: ['a'], groundingChunks: [first], groundingSupports: [one] });
    reader.add([{ text: 'Two. ' }], {
      webSearchQueries: ['a', 'b'],
      groundingChunks: [first, second],
      groundingSupports: [one, support(segmentOf(text, 'Two.'), [1])],
    });
    reader.add([{ text: 'Three.' }], { groundingChunks: [third] });
    reader.add([], { groundingSupports: [support(segmentOf(text, 'Three.'), [0])] });
    expect(reader.end()).toMatchObject({
      queries: ['a', 'b'],
      sources: [{ url: 'https://a.example/1' }, { url: 'https://b.example/2' }, { url: 'https://c.example/3' }],
      supports: [
        { start: 0, end: 4, sources: [0] },
        { start: 5, end: 9, sources: [1] },
        { start: 10, end: 16, sources: [2] },
      ],
    });
  });

  it.each([
    [{ webSearchQueries: 'foxes', groundingChunks: { 0: pages[0] }, groundingSupports: 'x' }],
    [{ webSearchQueries: [{}], groundingChunks: [null, [], 'x'], groundingSupports: [null, [], { segment: 7 }] }],
  ])('passes over another form than expected: %j', (metadata) => {
    const reader = new GroundingReader();
    reader.add([{ text: 'Red.' }, null, 'x', { text: 7 }], metadata);
    expect(reader.end()).toBeNull();
  });

  it('bounds the results of one event and of many', () => {
    const reader = new GroundingReader();
    const many = (make: (index: number) => unknown): readonly unknown[] =>
      Array.from({ length: 3_000 }, (_, index) => make(index));
    for (const round of [0, 1]) {
      reader.add([{ text: 'word '.repeat(2_000) }], {
        webSearchQueries: many((index) => `${round} ${index} ${'q'.repeat(900)}`),
        groundingChunks: many((index) => page(`https://a.example/${round}/${index}`, 't'.repeat(900))),
        groundingSupports: many((index) => support({ startIndex: index, endIndex: index + 5 + round })),
      });
    }
    const found = reader.end();
    expect(found).toMatchObject({
      queries: { length: 50 },
      sources: { length: 200 },
      supports: { length: 1_000 },
    });
    expect(Math.max(...(found?.queries ?? []).map(({ length }) => length))).toBeLessThanOrEqual(500);
    expect(Math.max(...(found?.sources ?? []).map(({ title }) => title.length))).toBeLessThanOrEqual(500);
  });

  it('stops a long search for texts, and keeps segments at their byte offsets', () => {
    const text = `y${'a'.repeat(100_000)}z`;
    const absent = Array.from({ length: 900 }, (_, index) =>
      support({ endIndex: 9, text: `${index}${'a'.repeat(15_000)}` }),
    );
    const groundingSupports = [
      support({ endIndex: 9, text: 'y' }),
      ...absent,
      support({ endIndex: 9, text: 'z' }),
      support({ startIndex: 99_999, endIndex: 100_001, text: 'aa' }),
    ];
    expect(covered([text], groundingSupports)).toEqual([
      ['y', [0]],
      ['aa', [0]],
    ]);
  });
});
