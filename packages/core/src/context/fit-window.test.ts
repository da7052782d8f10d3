import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextDocument } from '../ports/context-resolver.ts';
import { formatDocument } from './context-format.ts';
import { type Extent, exceeds, fitWindow, measure, subtract } from './fit-window.ts';

/** Any text that is well-formed. */
const codePoint = fc.oneof(fc.nat(0xff), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }));
const unit = codePoint.map((code) => String.fromCodePoint(code));

const boundary = 'b0';

function documentOf(path: string, text: string): ContextDocument {
  return { path, text, sizeBytes: Buffer.byteLength(text), origin: 'file' };
}

const documents = [documentOf('one', '12345678'), documentOf('two', '\u00e9'.repeat(10)), documentOf('six', '1234')];
const plenty: Extent = { bytes: 1_000, characters: 1_000 };

describe('fitWindow', () => {
  it.each<[string, Partial<Extent>, readonly string[]]>([
    ['everything, if there is room', {}, ['one', 'two', 'six']],
    // A document costs 56 characters more than its text: its tags, and an empty line.
    ['everything, to the last byte', { bytes: 200 }, ['one', 'two', 'six']],
    ['what goes into one byte less', { bytes: 199 }, ['one', 'two']],
    ['everything, to the last character', { characters: 190 }, ['one', 'two', 'six']],
    ['what goes into one character less', { characters: 189 }, ['one', 'two']],
    ['a small document after one that is too large', { bytes: 124 }, ['one', 'six']],
    ['nothing, if it does not fit', { bytes: -1 }, []],
  ])('takes %s', (_, known, paths) => {
    const earlier = { path: 'gone', reason: 'not-found', origin: 'file' } as const;
    const fitted = fitWindow({ documents, leftOut: [earlier] }, { ...plenty, ...known }, boundary);
    expect(fitted.documents.map(({ path }) => path)).toEqual(paths);
    expect(fitted.leftOut).toEqual([
      earlier,
      ...documents
        .filter(({ path }) => !paths.includes(path))
        .map(({ path }) => ({ path, reason: 'over-window', origin: 'file' })),
    ]);
  });

  it('counts the attribute with the lines of a text, and names them if they do not fit', () => {
    const part: ContextDocument = { ...documentOf('one', '12345678'), lines: { first: 10, last: 40 } };
    const bytes = Buffer.byteLength(`${formatDocument(part, boundary)}\n\n`);
    const bundle = { documents: [part], leftOut: [] };
    expect(fitWindow(bundle, { ...plenty, bytes }, boundary)).toEqual(bundle);
    expect(fitWindow(bundle, { ...plenty, bytes: bytes - 1 }, boundary)).toEqual({
      documents: [],
      leftOut: [{ path: 'one:10-40', reason: 'over-window', origin: 'file' }],
    });
  });

  it('leaves media alone', () => {
    const media = [{ path: 'a.png', mediaType: 'image/png', bytes: new Uint8Array(10_000) }];
    const fitted = fitWindow({ documents, media, leftOut: [] }, { bytes: -1, characters: -1 }, boundary);
    expect(fitted.media).toBe(media);
    expect(fitted.documents).toEqual([]);
  });

  it('keeps documents whole, in order, within the room, and leaves out none that fit', () => {
    const someDocuments = fc.array(fc.tuple(fc.string({ unit }), fc.string({ unit, maxLength: 300 })), {
      maxLength: 8,
    });
    const someRoom = fc.record({ bytes: fc.nat(2_000), characters: fc.nat(2_000) });
    fc.assert(
      fc.property(someDocuments, someRoom, (entries, room) => {
        const all = entries.map(([path, text]) => documentOf(path, text));
        const fitted = fitWindow({ documents: all, leftOut: [] }, room, boundary);
        const kept = new Set(fitted.documents);
        expect(fitted.documents).toEqual(all.filter((document) => kept.has(document)));
        expect(fitted.leftOut.length).toBe(all.length - kept.size);
        let left = room;
        for (const document of all) {
          const needed = measure(`${formatDocument(document, boundary)}\n\n`);
          expect(exceeds(needed, left)).toBe(!kept.has(document));
          left = kept.has(document) ? subtract(left, needed) : left;
        }
      }),
    );
  });
});
