import { describe, expect, it } from 'vitest';
import type { ContextReport } from '../ask-gemini/ask-result.ts';
import type { LeftOut } from '../context/left-out.ts';
import { contextLines } from './context-lines.ts';

function report(leftOut: readonly LeftOut[]): ContextReport {
  return { files: 1, bytes: 5, leftOut, limits: { maxFiles: 2, maxBytes: 10, maxCharacters: 20 } };
}

const tooLarge: LeftOut = { path: 'a.png', reason: 'over-media-limit', origin: 'file', detail: '7000 bytes' };

describe('contextLines', () => {
  it('says of an image that it was too large, and not which limits it did not meet', () => {
    expect(contextLines(report([tooLarge]))).toEqual([
      'Context: 1 file, 5 bytes sent',
      'Left out: 1',
      '  - over the limit of bytes for images and PDFs (7000 bytes): a.png',
    ]);
  });

  it('says the limits of text where they left something out as well', () => {
    const lines = contextLines(report([tooLarge, { path: 'a.ts:1-9', reason: 'over-byte-limit', origin: 'file' }]));
    expect(lines.slice(3)).toEqual([
      '  - over the limit of bytes: a.ts:1-9',
      'Limits of this call: 2 files, 10 bytes, 20 characters (what was asked for, lowered to what the Gemini CLI and the model carry)',
    ]);
  });
});
