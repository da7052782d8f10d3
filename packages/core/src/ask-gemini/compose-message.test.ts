import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceeds, measure } from '../context/fit-window.ts';
import type { LeftOut } from '../failure/left-out.ts';
import { chainWindowTokens } from '../fallback/model-chain.ts';
import type { ContextDocument, InlineMedia } from '../ports/context-resolver.ts';
import type { ModelChain } from '../ports/gemini-runner/runner-capabilities.ts';
import { composeMessage, messageRoom } from './compose-message.ts';

/** Any text that is well-formed. */
const codePoint = fc.oneof(fc.nat(0xff), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }));
const unit = codePoint.map((code) => String.fromCodePoint(code));

const room = { bytes: 10_000, characters: 10_000 };
const boundary = 'b1';

function documentOf(path: string, text: string): ContextDocument {
  return { path, text, sizeBytes: Buffer.byteLength(text), origin: 'file' };
}

function imageOf(path: string): InlineMedia {
  return { path, mediaType: 'image/png', bytes: Uint8Array.of(1, 2, 3) };
}

describe('composeMessage', () => {
  it('carries everything if there is room', () => {
    const bundle = { documents: [documentOf('a', '1'), documentOf('b', '2')], leftOut: [] };
    expect(composeMessage({ prompt: 'Why?', bundle, room, boundary }).bundle).toEqual(bundle);
  });

  it('keeps media, whatever else has no room', () => {
    const bundle = { documents: [documentOf('a', 'x'.repeat(20_000))], media: [imageOf('a.png')], leftOut: [] };
    expect(composeMessage({ prompt: 'Why?', bundle, room, boundary }).bundle).toEqual({
      documents: [],
      media: bundle.media,
      leftOut: [{ path: 'a', reason: 'over-window', origin: 'file' }],
    });
  });

  it('never exceeds its limit while it contains a document, however many omissions it lists', () => {
    const names = fc.array(fc.string({ unit, maxLength: 60 }), { maxLength: 40 });
    const files = fc.array(fc.tuple(fc.string({ unit }), fc.string({ unit, maxLength: 400 })), {
      maxLength: 10,
    });
    const origins = fc.constantFrom<LeftOut['origin']>('file', 'glob', 'directory');
    const rooms = fc.record({ bytes: fc.nat(8_000), characters: fc.nat(8_000) });
    fc.assert(
      fc.property(files, names, origins, rooms, fc.string(), (entries, gone, origin, someRoom, prompt) => {
        const documents = entries.map(([path, text]) => ({ ...documentOf(path, text), origin }));
        const leftOut = gone.map((path): LeftOut => ({ path, reason: 'not-found', origin }));
        const bundle = { documents, leftOut };
        const composed = composeMessage({ prompt, bundle, room: someRoom, boundary });
        const kept = composed.bundle.documents;
        expect(kept.length > 0 && exceeds(measure(composed.text), someRoom)).toBe(false);
        expect(composed.bundle.leftOut.length).toBe(gone.length + documents.length - kept.length);
        for (const { path, text } of kept) {
          expect(documents).toContainEqual(expect.objectContaining({ path, text }));
        }
      }),
    );
  });
});

describe('messageRoom', () => {
  const capabilities = {
    name: 'any',
    maxInputBytes: 8_000_000,
    maxInputCharacters: 4_000_000,
    resume: false,
    tools: ['none'] as const,
    sandbox: false,
    systemPrompt: false,
    mediaTypes: [],
    maxMediaBytes: 0,
    warmStart: false,
    streaming: true,
    usage: true,
    keyOfCall: false,
  };

  it.each<[ModelChain, number, number]>([
    [['gemini-3.1-pro-preview'], 8_000_000, 4_000_000],
    [['gemini-3.1-pro-preview', 'gemma-4-31b-it'], 8_000_000, 1_024_000],
  ])('of %j is %d bytes and %d characters', (chain, bytes, characters) => {
    expect(messageRoom({ capabilities, windowTokens: chainWindowTokens(chain) })).toEqual({ bytes, characters });
  });

  it('has as much less room for characters as was said before', () => {
    const history = [
      { role: 'user', text: 'Why?' },
      { role: 'model', text: 'Be\u00e9cause.' },
    ] as const;
    const room = messageRoom({ capabilities, windowTokens: 1_048_576, history });
    expect(room).toEqual({ bytes: 8_000_000, characters: 4_000_000 - 13 });
  });
});
