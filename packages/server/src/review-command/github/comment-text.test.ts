import { describe, expect, it } from 'vitest';
import { sampleFinding, sampleReview } from '../testing/sample-review.ts';
import { findingComment, ownMark, plain, summaryComment } from './comment-text.ts';
import { commentableLines, placeComment } from './commentable-lines.ts';

const bot = { login: 'github-actions[bot]', type: 'Bot' };

/** What a person sees: Markdown's escapes and invisible characters are not shown. */
const shown = (markdown: string): string =>
  markdown
    .replaceAll('\u200B', '')
    .replace(/\\([^\w\s])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

describe('text of Gemini', () => {
  it.each([
    ['@everyone', /@\w/],
    ['ada/project#12 and GH-3', /#\d|GH-\d/],
    ['https://evil.example and www.evil.example', /:\/\/|www\.\w/],
    ['<img src=x onerror=alert(1)><!-- gemini-mcp-server review summary -->', /</],
    ['[a](javascript:x) ![b](c) `code` **bold** ~~x~~ | cell', /(?<!\\)[[\]()`*~|]/],
    ['# head\n- item\n> quote\n1) one', /^[#>-]/m],
    ['0123456789abcdef0123456789abcdef01234567', /\b[0-9a-f]{40}\b/],
  ])('%j is shown letter by letter and means nothing', (text, meaning) => {
    expect(plain(text)).not.toMatch(meaning);
    expect(shown(plain(text))).toBe(text);
  });

  it('shows characters that would turn or hide it by their numbers', () => {
    expect(shown(plain('a\u202Eb\0'))).toBe('a\\u{202e}b\\u{0}');
  });

  it('cannot end its block of code', () => {
    const comment = findingComment({ ...sampleFinding, repair: '```\n@everyone\n````' }, 'ab');
    expect(comment).toMatch(/\n`{5}diff\n.+\n`{5}\n/s);
  });
});

describe('a mark', () => {
  it('counts in a comment of the own user alone', () => {
    const body = findingComment(sampleFinding, 'abc1');
    expect(ownMark({ body, user: bot }, null)).toBe('abc1');
    expect(ownMark({ body, user: { login: 'eve', type: 'User' } }, null)).toBeNull();
    expect(ownMark({ body, user: { login: 'ada', type: 'User' } }, 'ada')).toBe('abc1');
    expect(ownMark({ body, user: bot }, 'ada')).toBeNull();
    expect(ownMark({ body: `quoted: ${body}`, user: bot }, null)).toBeNull();
    expect(ownMark(null, null)).toBeNull();
  });
});

describe('the summary', () => {
  const summaryOf = (review: ReturnType<typeof sampleReview>): string =>
    summaryComment({
      run: { headSha: 'c'.repeat(40) },
      end: { ok: true, review, answer: null },
      account: '',
      commented: new Set(),
    });

  it('says in one line that there is nothing', () => {
    expect(
      summaryOf({ ...sampleReview(), summary: '' })
        .split('\n')
        .slice(2),
    ).toEqual(["### Gemini's review of cccccccccc", '', 'No findings in 1 file.']);
  });

  it('of 10,000 findings and files fits a comment, and counts the rest', () => {
    const findings = Array.from({ length: 10_000 }, (_, index) => ({
      title: `Finding ${index}`,
      why: 'x'.repeat(200),
    }));
    const notReviewed = findings.map(({ title }) => ({ path: `${title}.bin`.repeat(40), reason: 'binary' }));
    const text = summaryOf({ ...sampleReview(...findings), notReviewed });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/- and 9\d{3} more, in the log of the run/);
    expect(text).toContain('Not reviewed: 10,000 files');
  });
});

describe('the place of a comment', () => {
  const lines = commentableLines([
    {
      filename: 'src/a.ts',
      patch: '@@ -1,3 +1,4 @@ head\n a\n+b\n c\n d\n@@ -9 +10 @@\n-x\n+y\n@@ -20,2 +20,0 @@\n-x\n-y',
    },
    { filename: 'large.bin' },
    null,
  ]);

  it.each([
    ['on one line', { first: 2, last: 2 }, { path: 'src/a.ts', line: 2, side: 'RIGHT' }],
    [
      'on several',
      { first: 2, last: 4 },
      { path: 'src/a.ts', line: 4, side: 'RIGHT', start_line: 2, start_side: 'RIGHT' },
    ],
    ['that begins before the diff', { first: 7, last: 10 }, { path: 'src/a.ts', line: 10, side: 'RIGHT' }],
    ['outside the diff', { first: 6, last: 6 }, null],
    ['where lines were removed alone', { first: 20, last: 20 }, null],
  ])('%s', (_, range, place) => {
    expect(placeComment({ path: 'src/a.ts', lines: range }, lines)).toEqual(place);
  });

  it('is missing for a file whose diff GitHub does not show, and for a finding without lines', () => {
    expect(placeComment({ path: 'large.bin', lines: { first: 1, last: 1 } }, lines)).toBeNull();
    expect(placeComment({ path: 'src/a.ts', lines: null }, lines)).toBeNull();
  });
});
