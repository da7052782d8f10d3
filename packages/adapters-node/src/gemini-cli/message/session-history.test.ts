import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ConversationTurn } from '@gemini-mcp/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildSessionFile, weighTexts } from './session-history.ts';

const message = z.object({
  type: z.enum(['user', 'gemini']),
  content: z.tuple([z.object({ text: z.string(), thought: z.literal(false) })]),
});

/** Reads a session file as the CLI does: line by line, with Node's own idea of what ends a line. */
async function read(file: string): Promise<readonly ConversationTurn[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: Readable.from([file]), crlfDelay: Number.POSITIVE_INFINITY })) {
    lines.push(line);
  }
  return lines.slice(1).map((line) => {
    const { type, content } = message.parse(JSON.parse(line));
    return { role: type === 'user' ? 'user' : 'model', text: content[0].text };
  });
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc
    .array(fc.constantFrom('/', '?', '\r\n', '\u2028', '\u2029', '"', '\\', '{', '}', '\0', '@a'), { minLength: 1 })
    .map((parts) => parts.join('')),
);

describe('buildSessionFile', () => {
  it('every text is read back as it was, whatever ends a line in it', async () => {
    const turn = fc.record({ role: fc.constantFrom('user' as const, 'model' as const), text });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 6 }), async (turns) => {
        expect(await read(buildSessionFile(turns))).toEqual(turns);
      }),
      { numRuns: 50 },
    );
  });

  it('an empty text becomes a blank: the API takes no empty part', async () => {
    expect(await read(buildSessionFile([{ role: 'model', text: '' }]))).toEqual([{ role: 'model', text: ' ' }]);
  });
});

describe('weighTexts', () => {
  it.each([
    ['nothing', [], 0],
    ['ASCII', ['abc', 'de'], 5],
    ['other scripts in a short text', ['日本', 'a'], 13],
    ['other scripts in a long text', ['日'.repeat(100_001)], 100_001],
    ['a short text at its longest', ['日'.repeat(100_000)], 600_000],
  ])('weighs %s', (_, texts, weight) => {
    expect(weighTexts(texts)).toBe(weight);
  });
});
