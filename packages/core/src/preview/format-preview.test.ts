import { describe, expect, it } from 'vitest';
import { formatPreview } from './format-preview.ts';
import type { ContextPreview } from './preview-context.ts';

const empty: ContextPreview = {
  entries: [],
  leftOut: [],
  messageBytes: 1,
  messageCharacters: 1,
  estimatedTokens: 1,
  canBeCounted: false,
  windowTokens: 1_000_000,
  share: 0.000001,
  limits: { maxFiles: 1_000, maxBytes: 5_000, maxCharacters: 4_000_000, maxMediaBytes: 7_000 },
};

describe('formatPreview', () => {
  it('shows the totals, then each part with the largest first, then the files left out', () => {
    const preview: ContextPreview = {
      ...empty,
      entries: [
        { path: 'a.ts', bytes: 40, estimatedTokens: 10, lines: { first: 10, last: 40 } },
        { path: 'b.ts', bytes: 4_000, estimatedTokens: 1_000 },
        { path: 'c.png', bytes: 300, estimatedTokens: 3_000, mediaType: 'image/png' },
      ],
      leftOut: [
        { path: 'gone.ts', reason: 'not-found', origin: 'file' },
        { path: 'd.ts', reason: 'over-window', origin: 'glob' },
      ],
      messageBytes: 4_321,
      messageCharacters: 4_300,
      estimatedTokens: 4_075,
      share: 0.004075,
    };
    expect(formatPreview(preview)).toBe(
      [
        'Nothing was sent. A call with these arguments would send:',
        'Message: 4,321 bytes, 4,300 characters',
        'Tokens: about 4,075 (estimated), 0.4 % of the window of 1,000,000',
        'Limits: 1,000 files, 5,000 bytes, 4,000,000 characters, 7,000 bytes of media',
        '',
        'Parts: 3, 4,340 bytes, about 4,010 tokens (estimated)',
        '  b.ts: 4,000 bytes, about 1,000 tokens',
        '  c.png (image/png): 300 bytes, about 3,000 tokens',
        '  a.ts:10-40: 40 bytes, about 10 tokens',
        '',
        'Left out: 2',
        '  - not found: gone.ts',
        '  - does not fit into what Gemini can take in one call: d.ts',
      ].join('\n'),
    );
  });

  it('says the tokens that were counted, or why they were not', () => {
    const tokensLine = (preview: Partial<ContextPreview>): string | undefined =>
      formatPreview({ ...empty, ...preview }).split('\n')[2];
    expect(tokensLine({ countedTokens: 1_234, share: 0.001_234 })).toBe(
      'Tokens: 1,234 (counted), 0.1 % of the window of 1,000,000',
    );
    expect(tokensLine({ countFailure: { kind: 'overloaded', excerpt: 'Said by others.' } })).toBe(
      'Tokens: about 1 (estimated; they could not be counted: the model is overloaded), ' +
        '0.0 % of the window of 1,000,000',
    );
  });

  it.each<[string, Partial<ContextPreview>]>([
    ['Nothing was sent.', {}],
    ['Nothing was sent.', { countFailure: { kind: 'unsupported', feature: 'token-count' } }],
    ['No model was asked; Google was sent this to count its tokens.', { countedTokens: 7 }],
    ['No model was asked; Google was sent this to count its tokens.', { countFailure: { kind: 'timeout' } }],
  ])('begins with "%s" for %j', (words, preview) => {
    expect(formatPreview({ ...empty, ...preview })).toMatch(new RegExp(`^${words} A call with`));
  });

  it('says how to have the tokens counted where Google can', () => {
    expect(formatPreview({ ...empty, canBeCounted: true })).toContain(
      'Tokens: about 1 (estimated; with count: true Google gets all this and counts), ',
    );
  });

  it('says so when there is only the prompt', () => {
    expect(formatPreview(empty).split('\n').slice(4)).toEqual(['', 'No files: the prompt alone.']);
  });

  it('says from where relative names are resolved', () => {
    expect(
      formatPreview({ ...empty, workingDirectory: '/home/me' })
        .split('\n')
        .slice(3, 6),
    ).toEqual([
      'Limits: 1,000 files, 5,000 bytes, 4,000,000 characters, 7,000 bytes of media',
      'Relative names are resolved from the working directory /home/me',
      '',
    ]);
  });

  it('names the 200 largest parts and sums up the rest', () => {
    const entries = Array.from({ length: 203 }, (_, index) => ({
      path: `file ${index + 1}`,
      bytes: index + 1,
      estimatedTokens: 1,
    }));
    const lines = formatPreview({ ...empty, entries }).split('\n');
    expect(lines[6]).toBe('  file 203: 203 bytes, about 1 token');
    expect(lines.slice(-2)).toEqual(['  file 4: 4 bytes, about 1 token', '  and 3 more: 6 bytes, about 3 tokens']);
  });

  it('lets no name break out of its line', () => {
    const entries = [{ path: 'a\n\u202eb', bytes: 1, estimatedTokens: 1 }];
    expect(formatPreview({ ...empty, entries })).toContain('\n  a\\u{a}\\u{202e}b: 1 byte, about 1 token');
  });
});
