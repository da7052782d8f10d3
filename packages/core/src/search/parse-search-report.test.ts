import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSearchReport } from './parse-search-report.ts';

const source = { url: 'https://example.org/a?b=c#d', title: 'A title', snippet: 'What it says.' };
const report = { summary: 'The answer.', sources: [source] };

function answerWith(known: object): string {
  return JSON.stringify({ ...report, ...known });
}

const anyText = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(0x22, 0x5c, 0x7b, 0x7d)), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));

describe('parseSearchReport', () => {
  it.each([
    ['a report', answerWith({}), report],
    ['a report in a fence, with words around it', `Sure!\n\`\`\`json\n${answerWith({})}\n\`\`\`\nBye`, report],
    ['the first object that is one', `{"note": 1}\n${answerWith({})}\n{}`, report],
    ['no sources', answerWith({ sources: [] }), { ...report, sources: [] }],
    [
      'a source without a snippet or a title',
      answerWith({ sources: [{ url: 'http://a.b', title: '' }] }),
      { ...report, sources: [{ url: 'http://a.b', title: '', snippet: '' }] },
    ],
    ['nothing that it was not asked for', answerWith({ extra: 1, sources: [{ ...source, rank: 1 }] }), report],
    [
      'text without what moves a cursor or turns a line around',
      answerWith({
        summary: ' a\u001b[2J\r\nb\tc\u202e\u0000 ',
        sources: [{ url: ' https://a.b/\u0007c\n', title: 'a\r\nb\u0000', snippet: '\u2066a\nb' }],
      }),
      { summary: 'a[2J\nb\tc', sources: [{ url: 'https://a.b/c', title: 'a b', snippet: 'a\nb' }] },
    ],
  ])('reads %s', (_, answer, expected) => {
    expect(parseSearchReport(answer, null)).toEqual({ ok: true, report: expected });
  });

  it.each([
    [1, 1],
    [3, 3],
    [5, 4],
    [null, 4],
  ])('takes at most %s sources, the first ones', (limit, count) => {
    const sources = [1, 2, 3, 4].map((number) => ({ ...source, url: `https://example.org/${number}` }));
    expect(parseSearchReport(answerWith({ sources }), limit)).toEqual({
      ok: true,
      report: { ...report, sources: sources.slice(0, count) },
    });
  });

  it('ignores problems of sources beyond the limit', () => {
    expect(parseSearchReport(answerWith({ sources: [source, 'x'] }), 1)).toMatchObject({ ok: true });
  });

  it.each([
    ['nothing', '', 'it contains no JSON object'],
    ['prose', 'The answer is 42.', 'it contains no JSON object'],
    ['an array', '[]', 'it contains no JSON object'],
    ['a report that was cut', answerWith({}).slice(0, -3), 'it contains no JSON object'],
    ['an object without a summary', answerWith({ summary: undefined }), '"summary" is not a string with text in it'],
    ['an empty summary', answerWith({ summary: ' \u0000' }), '"summary" is not a string with text in it'],
    ['an object without sources', answerWith({ sources: {} }), '"sources" is not an array'],
    ['an invalid source', answerWith({ sources: [source, null] }), 'source 2: it is not an object'],
    ...['javascript:alert(1)', 'ftp://a.b', 'https://', 'https:///a', 'https://a b', 'https://a"><b', '//a.b', 7].map(
      (url) => [
        `the URL ${url}`,
        answerWith({ sources: [{ ...source, url }] }),
        'source 1: "url" is not an http or https URL',
      ],
    ),
    ['an invalid title', answerWith({ sources: [{ ...source, title: 1 }] }), 'source 1: "title" is not a string'],
    [
      'an invalid snippet',
      answerWith({ sources: [{ ...source, snippet: null }] }),
      'source 1: "snippet" is not a string',
    ],
    ["two objects: the first one's problem", '{"summary":"a"} {}', '"sources" is not an array'],
  ])('describes the problem of %s', (_, answer, problem) => {
    expect(parseSearchReport(String(answer), null)).toEqual({ ok: false, problem });
  });

  it('refuses a long URL as soon as a short one', () => {
    const url = `https://${'a'.repeat(200_000)}<`;
    expect(parseSearchReport(answerWith({ sources: [{ ...source, url }] }), null)).toMatchObject({ ok: false });
  });

  it('takes any text, and gives back nothing but http and https URLs and no controls', () => {
    const text = fc.oneof(fc.string(), anyText, fc.constantFrom('https://a.b\u0000', 'http://a', 'x'));
    const answers = fc.oneof(
      anyText,
      fc.json({ maxDepth: 2 }),
      fc
        .record({
          summary: fc.oneof(text, fc.constantFrom(null, 1, 'a', [], {}, ['a'])),
          sources: fc.oneof(
            fc.array(
              fc.record({
                url: text,
                title: text,
                snippet: fc.oneof(text, fc.constantFrom(null, 1, 'a', [], {}, ['a'])),
              }),
            ),
            fc.constantFrom(null, 1, 'a', [], {}, ['a']),
          ),
        })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(answers, fc.option(fc.nat(3)), (answer, limit) => {
        const parsed = parseSearchReport(answer, limit);
        if (parsed.ok) {
          expect(parsed.report.sources.length).toBeLessThanOrEqual(limit ?? Number.POSITIVE_INFINITY);
          expect(parsed.report.sources.every(({ url }) => /^https?:\/\/\S+$/i.test(url))).toBe(true);
          expect(Object.values(parsed.report.sources).flatMap(Object.values).join('')).not.toMatch(/[^\P{Cc}\t\n]/u);
        }
      }),
      { numRuns: 200 },
    );
  });
});
