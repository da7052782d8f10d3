import { describe, expect, it } from 'vitest';
import type { ContextReport } from '../answers/ask-result.ts';
import type { LeftOut } from '../failure/left-out.ts';
import { contextLines } from './context-lines.ts';

function report(leftOut: readonly LeftOut[], media = 0): ContextReport {
  const limits = { maxFiles: 2, maxBytes: 10, maxCharacters: 20, maxMediaBytes: 6_000 };
  return { files: 3, media, bytes: 5, leftOut, limits };
}

const limitLine =
  'Limits of this call: 2 files, 10 bytes, 20 characters, 6,000 bytes of media (as requested or set here, lowered to the sizes that can reach the model)';

const tooLarge: LeftOut = { path: 'a.png', reason: 'over-media-limit', origin: 'file', detail: '7000 bytes' };

describe('contextLines', () => {
  it('says how many of the files were media', () => {
    expect(contextLines(report([], 2))).toEqual(['Context: 3 files (media: 2), 5 bytes sent']);
  });

  it('says of an image how large it was, and how large it might have been', () => {
    expect(contextLines(report([tooLarge]))).toEqual([
      'Context: 3 files, 5 bytes sent',
      'Left out: 1',
      '  - over the limit of bytes for media (7000 bytes): a.png',
      limitLine,
    ]);
  });

  it('says the limits once, whichever of them left something out', () => {
    const lines = contextLines(report([tooLarge, { path: 'a.ts:1-9', reason: 'over-byte-limit', origin: 'file' }]));
    expect(lines.slice(3)).toEqual(['  - over the limit of bytes: a.ts:1-9', limitLine]);
  });

  it.each<[LeftOut['reason'], LeftOut['origin'], string]>([
    ['not-found', 'file', 'src/a.ts'],
    ['outside-roots', 'file', '../a.ts'],
    ['not-a-directory', 'directory', 'a.ts'],
    ['pattern-without-match', 'glob', '*.none'],
  ])('names the working directory if a name led to nothing: %s', (reason, origin, path) => {
    const known = { ...report([{ path, reason, origin }]), workingDirectory: '/home/me/a\nproject' };
    expect(contextLines(known).slice(3)).toEqual([
      'Relative names are resolved from the working directory /home/me/a\\u{a}project',
    ]);
    expect(contextLines(report([{ path, reason, origin }]))).toHaveLength(3);
  });

  it('names the working directory if nothing was sent for any reason', () => {
    const known = { ...report([{ path: 'a', reason: 'binary', origin: 'file' }]), workingDirectory: '/home/me' };
    expect(contextLines({ ...known, files: 0 })).toHaveLength(4);
  });

  it('says nothing of the working directory where every name was found', () => {
    const known = { ...report([{ path: 'a', reason: 'binary', origin: 'file' }]), workingDirectory: '/home/me' };
    expect(contextLines(known).join()).not.toContain('/home/me');
  });

  it('omits limits that left nothing out', () => {
    expect(contextLines(report([{ path: 'a', reason: 'not-found', origin: 'file' }]))).toHaveLength(3);
  });
});
