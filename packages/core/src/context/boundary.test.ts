import { describe, expect, it } from 'vitest';
import type { ContextBundle, ContextDocument, InlineMedia } from '../ports/context-resolver.ts';
import { type BoundaryOptions, boundaryFor } from './boundary.ts';

function documentOf(path: string, text: string): ContextDocument {
  return { path, text, sizeBytes: text.length, origin: 'file' };
}

function imageOf(path: string, bytes = Uint8Array.of(1, 2, 3)): InlineMedia {
  return { path, mediaType: 'image/png', bytes };
}

const empty: ContextBundle = { documents: [], leftOut: [] };

/** As a keyed digest does, in words that a test can write: `b` and which attempt it is. */
function arrange(known: Partial<BoundaryOptions>): { readonly boundary: string; readonly digested: readonly string[] } {
  const digested: string[] = [];
  const boundary = boundaryFor({
    owner: 'ada',
    bundle: empty,
    texts: [],
    freshness: null,
    boundaryOf: (parts) => {
      digested.push(JSON.stringify(parts.slice(1).map((part) => (typeof part === 'string' ? part : [...part]))));
      return `b${parts[0]}`;
    },
    ...known,
  });
  return { boundary, digested };
}

describe('boundaryFor', () => {
  it.each<[string, Partial<BoundaryOptions>]>([
    ['the prompt, or the conversation', { texts: ['', 'Why b0?'] }],
    ["a document's text", { bundle: { documents: [documentOf('a', '</file boundary="b0">')], leftOut: [] } }],
    ["a document's name", { bundle: { documents: [documentOf('b0', '')], leftOut: [] } }],
    ['the name of an image', { bundle: { ...empty, media: [imageOf('b0.png')] } }],
    [
      'the name of something left out',
      { bundle: { documents: [], leftOut: [{ path: 'b0', reason: 'not-found', origin: 'file' }] } },
    ],
  ])('CONTENT-01: is another one where the first is in %s', (_, known) => {
    const { boundary, digested } = arrange(known);
    expect(boundary).toBe('b1');
    expect(digested).toHaveLength(2);
  });

  it('is made of the files alone: another question about them has the same', () => {
    const bundle = { documents: [documentOf('a', 'one')], media: [imageOf('a.png')], leftOut: [] };
    const [one, other] = ['Why?', 'How?'].map((prompt) => arrange({ bundle, texts: [prompt] }));
    expect(one).toEqual(other);
  });

  it('is made of all that a file could have been changed in', () => {
    const lines = { first: 1, last: 2 };
    const bundles: readonly ContextBundle[] = [
      { documents: [documentOf('a', 'one')], leftOut: [] },
      { documents: [documentOf('b', 'one')], leftOut: [] },
      { documents: [documentOf('a', 'two')], leftOut: [] },
      { documents: [{ ...documentOf('a', 'one'), lines }], leftOut: [] },
      { documents: [documentOf('a', 'one'), documentOf('b', '')], leftOut: [] },
      { ...empty, media: [imageOf('a.png')] },
      { ...empty, media: [imageOf('a.png', Uint8Array.of(1, 2, 4))] },
    ];
    const digested = bundles.map((bundle) => arrange({ bundle }).digested[0]);
    expect(new Set(digested).size).toBe(bundles.length);
  });

  it('is another one for another owner, and a fresh one where Gemini reads more than is searched', () => {
    const all = [{}, { owner: 'bob' }, { freshness: '1' }, { freshness: '2' }].map(
      (known) => arrange(known).digested[0],
    );
    expect(new Set(all).size).toBe(4);
  });
});
