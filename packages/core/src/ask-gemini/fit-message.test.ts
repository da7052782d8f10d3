import { describe, expect, it } from 'vitest';
import type { ContextDocument, InlineMedia } from '../ports/context-resolver.ts';
import type {} from '../ports/gemini-runner/gemini-runner.ts';
import type { TokenCount } from '../ports/gemini-runner/token-usage.ts';
import { type FitOptions, type FittedMessage, fitMessage } from './prepare-message.ts';

const windowTokens = 10_000;
const failure = { kind: 'overloaded', excerpt: '' } as const;

function documentOf(path: string, text: string): ContextDocument {
  return { path, text, sizeBytes: Buffer.byteLength(text), origin: 'file' };
}

/** Files of 1,000 characters in a script with a token for each, or in one with a token for four. */
function documents(count: number, character: string): readonly ContextDocument[] {
  return Array.from({ length: count }, (_, index) => documentOf(`${character}${index}`, character.repeat(1_000)));
}

/** A token for each non-ASCII character, and for each four others, as some model might count. */
function tokensOf(text: string): number {
  const dense = text.match(/[^\0-\x7f]/g)?.length ?? 0;
  return dense + Math.ceil((text.length - dense) / 4);
}

type Arrangement = Partial<Omit<FitOptions, 'count'>> & {
  readonly counted?: (message: string, index: number) => TokenCount;
  readonly signal?: AbortSignal;
};

async function fit({ counted, signal, ...known }: Arrangement): Promise<{ fitted: FittedMessage; counts: number[] }> {
  const counts: number[] = [];
  const fitted = await fitMessage(
    {
      prompt: 'Why?',
      history: [],
      bundle: { documents: [], leftOut: [] },
      boundary: 'b1',
      estimatedRoom: { bytes: 80_000, characters: 4 * windowTokens },
      carriedRoom: { bytes: 80_000, characters: 60_000 },
      windowTokens,
      count:
        counted === undefined
          ? null
          : async (message) => {
              counts.push(message.length);
              return counted(message, counts.length - 1);
            },
      ...known,
    },
    signal ?? new AbortController().signal,
  );
  return { fitted, counts };
}

const exactly = (message: string): TokenCount => ({ ok: true, tokens: tokensOf(message) });

describe('fitMessage', () => {
  it('counts no message that fits whatever its script', async () => {
    const { fitted, counts } = await fit({ bundle: { documents: documents(7, '日'), leftOut: [] }, counted: exactly });
    expect(counts).toEqual([]);
    expect(fitted).toMatchObject({ tokens: null, isFittedByCount: false });
    expect(fitted.bundle.documents).toHaveLength(7);
  });

  it('counts a larger one that fits once', async () => {
    const bundle = { documents: documents(30, 'x'), leftOut: [] };
    const { fitted, counts } = await fit({ bundle, counted: exactly });
    expect(counts).toHaveLength(1);
    expect(fitted.bundle).toEqual(bundle);
    expect(fitted.tokens).toEqual({ ok: true, tokens: tokensOf(fitted.text) });
  });

  it('sends more than the estimate allows where the count does', async () => {
    const bundle = { documents: documents(50, ' '), leftOut: [] };
    const { fitted } = await fit({ bundle, counted: () => ({ ok: true, tokens: 9_000 }) });
    expect(fitted.bundle.documents).toHaveLength(50);
  });

  it.each([
    ['one script', [...documents(20, '日')]],
    ['two scripts', [...documents(8, '日'), ...documents(20, 'x')]],
    ['two scripts, the other way round', [...documents(20, 'x'), ...documents(8, '日')]],
  ])('leaves out the files in %s that do not fit, after few counts, and reports them', async (_, all) => {
    const { fitted, counts } = await fit({ bundle: { documents: all, leftOut: [] }, counted: exactly });
    const tokens = tokensOf(fitted.text);
    expect(tokens).toBeLessThanOrEqual(windowTokens);
    expect(tokens, 'most of the window is used').toBeGreaterThan(0.8 * windowTokens);
    expect(fitted.tokens).toEqual({ ok: true, tokens });
    expect(fitted.bundle.leftOut).toHaveLength(all.length - fitted.bundle.documents.length);
    expect(fitted.bundle.leftOut.every(({ reason }) => reason === 'over-window')).toBe(true);
    expect(counts.length).toBeGreaterThan(1);
    expect(counts.length).toBeLessThanOrEqual(4);
  });

  it('counts the conversation and media as part of the window', async () => {
    const history = [{ role: 'user', text: '日'.repeat(6_000) }] as const;
    const media: readonly InlineMedia[] = [{ path: 'a', mediaType: 'image/png', bytes: new Uint8Array(9) }];
    const counted = (message: string): TokenCount => ({ ok: true, tokens: tokensOf(message) + 6_000 + 258 });
    const { fitted } = await fit({ history, bundle: { documents: documents(9, '日'), media, leftOut: [] }, counted });
    expect(tokensOf(fitted.text)).toBeLessThanOrEqual(windowTokens - 6_258);
    expect(fitted.bundle.documents.length).toBeGreaterThan(0);
    expect(fitted.bundle.media).toEqual(media);
  });

  it('leaves the decision to the API once no file remains to leave out', async () => {
    const prompt = '日'.repeat(11_000);
    const { fitted, counts } = await fit({
      prompt,
      bundle: { documents: documents(2, 'x'), leftOut: [] },
      counted: exactly,
    });
    expect(fitted.bundle.documents).toEqual([]);
    expect(counts).toHaveLength(2);
  });

  it('gives up counting after four, and sends less than was counted last', async () => {
    const counted = (): TokenCount => ({ ok: true, tokens: 11_000 });
    const { fitted, counts } = await fit({ bundle: { documents: documents(50, 'x'), leftOut: [] }, counted });
    expect(counts).toHaveLength(4);
    expect(fitted.text.length).toBeLessThan(counts[3] ?? 0);
    expect(fitted.tokens).toBeNull();
  });

  it('goes by the estimate where counting fails, or nothing can count', async () => {
    const bundle = { documents: documents(50, 'x'), leftOut: [] };
    const [failed, none] = [await fit({ bundle, counted: () => ({ ok: false, failure }) }), await fit({ bundle })];
    expect(failed.counts).toHaveLength(1);
    expect(failed.fitted).toEqual({ ...none.fitted, tokens: { ok: false, failure } });
    expect(none.fitted.text.length).toBeLessThanOrEqual(4 * windowTokens);
    expect(none.fitted.bundle.documents.length).toBeGreaterThan(30);
  });

  it('keeps the result of a count if a later one fails', async () => {
    const bundle = { documents: documents(20, '日'), leftOut: [] };
    const counted = (message: string, index: number): TokenCount =>
      index === 0 ? exactly(message) : { ok: false, failure };
    const { fitted } = await fit({ bundle, counted });
    expect(tokensOf(fitted.text)).toBeLessThanOrEqual(windowTokens);
    expect(fitted.tokens).toEqual({ ok: false, failure });
  });

  it('counts no more after an abort', async () => {
    const cancellation = new AbortController();
    const { counts } = await fit({
      bundle: { documents: documents(50, '日'), leftOut: [] },
      counted: (message) => {
        cancellation.abort();
        return exactly(message);
      },
      signal: cancellation.signal,
    });
    expect(counts).toHaveLength(1);
  });
});
