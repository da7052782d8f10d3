import { describe, expect, it } from 'vitest';
import type { LeftOut } from '../failure/left-out.ts';
import { leftOutLines, leftOutReasonText } from './left-out.ts';

describe('leftOutReasonText', () => {
  it.each<[LeftOut['reason'], string]>([
    ['not-found', 'not found'],
    ['outside-roots', 'PATH_OUTSIDE_ROOT: outside the allowed directories'],
    ['not-a-file', 'not a regular file'],
    ['is-a-directory', 'a directory; name it in `directories` instead'],
    ['not-a-directory', 'not a directory'],
    ['unreadable', 'could not be read'],
    ['name-too-long', 'name too long'],
    ['sensitive', 'sensitive: looks like a secret'],
    ['binary', 'binary'],
    ['not-utf8', 'not UTF-8 text'],
    ['no-such-lines', 'has no such lines'],
    ['media-not-carried', 'the runner of this call cannot pass media of this type on to Gemini; name its text instead'],
    ['over-media-limit', 'over the limit of bytes for media'],
    ['pattern-refused', 'pattern refused'],
    ['pattern-without-match', 'pattern matched no file'],
    ['search-stopped', 'the search was stopped'],
    ['over-file-limit', 'over the limit of files'],
    ['over-byte-limit', 'over the limit of bytes'],
    ['over-window', 'does not fit into what Gemini can take in one call'],
    ['deadline', 'time ran out before it was read'],
  ])('%s', (reason, text) => {
    expect(leftOutReasonText({ path: 'a', reason, origin: 'file' })).toBe(text);
    expect(leftOutReasonText({ path: 'a', reason, origin: 'file', detail: 'E\n' })).toBe(`${text} (E\\u{a})`);
  });
});

describe('a recording or a video', () => {
  it.each(['audio/mp3', 'video/mp4'])('suggests the backend that accepts it: %s', (detail) => {
    expect(leftOutReasonText({ path: 'a', reason: 'media-not-carried', origin: 'file', detail })).toBe(
      `audio and video go to Gemini over the Gemini API alone, which needs an API key and did not carry this call (${detail})`,
    );
  });
});

describe('a pattern that is named as a file', () => {
  const text = (fields: Partial<LeftOut>): string =>
    leftOutReasonText({ path: 'src/*.ts', reason: 'not-found', origin: 'file', ...fields });

  it.each(['src/*.ts', 'a?.ts', 'docs/*.{md,txt}', '**/*.ts:1-9'])('suggests where to go: %s', (path) => {
    expect(text({ path, detail: 'ENOENT' })).toBe('not found as a file; name a pattern in `glob_patterns` instead');
  });

  it.each<Partial<LeftOut>>([
    { path: 'app/[id]/page.tsx' },
    { origin: 'directory' },
    { reason: 'outside-roots' },
    { reason: 'binary' },
  ])('is not seen in %o', (fields) => {
    expect(text(fields)).not.toContain('glob_patterns');
  });
});

describe('leftOutLines', () => {
  it('is empty when nothing was left out', () => {
    expect(leftOutLines([])).toEqual([]);
  });

  it('gives each reason a line, in order of appearance', () => {
    expect(
      leftOutLines([
        { path: 'a.bin', reason: 'binary', origin: 'directory' },
        { path: 'b', reason: 'not-found', origin: 'file' },
        { path: 'c.bin', reason: 'binary', origin: 'glob' },
        { path: 'd', reason: 'unreadable', origin: 'file', detail: 'EACCES' },
        { path: 'e', reason: 'unreadable', origin: 'file' },
      ]),
    ).toEqual(['binary: a.bin, c.bin', 'not found: b', 'could not be read (EACCES): d', 'could not be read: e']);
  });

  it('lists all entries of the caller, and the first twenty of a walk', () => {
    const found = Array.from({ length: 22 }, (_, index): LeftOut => {
      return { path: `f${index}`, reason: 'binary', origin: index % 2 === 0 ? 'glob' : 'directory' };
    });
    const named = Array.from({ length: 30 }, (_, index): LeftOut => {
      return { path: `n${index}`, reason: 'binary', origin: 'file' };
    });
    expect(leftOutLines([...found, ...named])).toEqual([
      `binary: ${[...named, ...found.slice(0, 20)].map(({ path }) => path).join(', ')} and 2 more`,
    ]);
    expect(leftOutLines(found.slice(0, 20))).toEqual([
      `binary: ${found
        .slice(0, 20)
        .map(({ path }) => path)
        .join(', ')}`,
    ]);
  });

  it.each([
    ['PATH-16', 'new\nline\u001b[2J', 'not found: new\\u{a}line\\u{1b}[2J'],
    ['PATH-17', '\u202etxt.exe', 'not found: \\u{202e}txt.exe'],
  ])('%s: shows a name escaped', (_, path, line) => {
    expect(leftOutLines([{ path, reason: 'not-found', origin: 'file' }])).toEqual([line]);
  });
});
