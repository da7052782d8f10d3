import type { RunRequest } from '@gemini-mcp/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageHeader, promptParts } from './prompt-run.ts';

const request: RunRequest = { model: 'gemini-2.5-pro', input: 'Hi', deadlineAtMs: 0 };

describe('promptParts', () => {
  it('CONTENT-02, CONTENT-04: gives the message as it is, after a part that begins with nothing of the caller', async () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('/memory show', '  /init', '$x', '!ls', '@a.txt', messageHeader, ''),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (input) => {
        expect(promptParts({ ...request, input })).toEqual([
          { type: 'text', text: messageHeader },
          { type: 'text', text: input },
        ]);
      }),
    );
    expect(messageHeader).toMatch(/^[A-Z]/);
  });

  it('puts media between, with their type, and no byte of what lies around them', () => {
    const whole = Uint8Array.from([1, 2, 3, 4, 5]);
    const media = [
      { path: 'a.pdf', mediaType: 'application/pdf', bytes: whole.subarray(1, 3) },
      { path: 'b.png', mediaType: 'image/png', bytes: new Uint8Array() },
    ];
    expect(promptParts({ ...request, media }).slice(1)).toEqual([
      { type: 'image', mimeType: 'application/pdf', data: 'AgM=' },
      { type: 'image', mimeType: 'image/png', data: '' },
      { type: 'text', text: 'Hi' },
    ]);
  });
});
