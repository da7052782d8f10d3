import { type Grounding, plainRunSettings, type RunEvent, type RunSettings, type WebPage } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { hostileText } from '../hostile-text.ts';
import { collectEvents, failureOf, textOf } from '../runner-places/collect-events.ts';
import { type FoundBySearch, type GeminiRunnerSubject, manyRuns } from './gemini-runner-harness.ts';

const searching: RunSettings = { ...plainRunSettings, tools: 'web-search' };

/** In bytes, UTF-16 units and characters each of these has another position. */
const chunks = [
  '\u{1f98a} \u6f22\u5b57\u3002',
  'Foxes ',
  'are re\u0301d. ',
  '\u{1f1e9}\u{1f1ea} \u{1f468}\u200d\u{1f469} agree.',
];

const found: FoundBySearch = {
  queries: ['colour of foxes', '\u72d0\u306e\u8272'],
  sources: [
    { url: 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ', title: 'a.example' },
    { url: 'https://b.example/fox', title: '\u72d0' },
  ],
  supports: [
    { text: '\u6f22\u5b57\u3002', sources: [1] },
    { text: 'Foxes are re\u0301d.', sources: [0, 1] },
    { text: '\u{1f468}\u200d\u{1f469} agree.', sources: [0] },
  ],
};

const pages: readonly WebPage[] = [
  { url: 'https://a.example/read', outcome: 'read' },
  { url: 'https://b.example/paid?x=1&y=2', outcome: 'paywall' },
  { url: 'http://c.example/unsafe#part', outcome: 'unsafe' },
  { url: 'https://d.example/gone', outcome: 'failed' },
];

/** The promises of a runner that reports searches or has pages read. */
export function describeGeminiRunnerWeb({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('reports after the text what a search found, and which words of the answer rest on it', async () => {
    const harness = await open({ type: 'answer', chunks, search: found });
    if (harness.runner.capabilities.grounding !== true) {
      return proof.skip('does not report searches');
    }
    const events = await collectEvents(harness, { settings: searching });
    expect(failureOf(events)).toBeNull();
    const { queries, sources, supports } = groundingOf(events) ?? nothing;
    const text = textOf(events);
    expect(queries, 'search queries').toEqual(found.queries);
    expect(
      sources.map(({ url, title, isRedirect }) => ({ url, title, isRedirect })),
      'search results',
    ).toEqual(found.sources.map((source, index) => ({ ...source, isRedirect: index === 0 })));
    expect(
      supports.map(({ start, end, sources: places }) => ({ text: text.slice(start, end), sources: places })),
      'words that rest on them',
    ).toEqual(found.supports);
    const searches = events.flatMap((event) => (event.type === 'tool' ? [`${event.name} ${event.phase}`] : []));
    expect(searches, 'reports of the tool').toContain('google_web_search succeeded');
  });

  proof.promise(
    'reports of each run only its own search, and nothing without a search',
    async () => {
      const harness = await open({ type: 'empty' });
      if (harness.runner.capabilities.grounding !== true) {
        return proof.skip('does not report searches');
      }
      harness.arrange((input) => ({
        type: 'answer',
        chunks: [`About ${input}.`],
        ...(input !== 'nothing' && { search: searchFor(input) }),
      }));
      const ask = async (input: string): Promise<Grounding | null> =>
        groundingOf(await collectEvents(harness, { input, settings: searching }));
      const first = await ask('ants');
      const [bees, none, cats] = await Promise.all(['bees', 'nothing', 'cats'].map(ask));
      expect([first, bees, cats].map((grounding) => grounding?.queries)).toEqual([['ants'], ['bees'], ['cats']]);
      expect(none, 'of a run without a search').toBeNull();
    },
    manyRuns,
  );

  proof.promise(
    'sends the message unchanged, has the pages of each request read, and reports their results',
    async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      if (harness.runner.capabilities.urls !== true) {
        return proof.skip('cannot have pages read');
      }
      harness.arrange((input) => ({ type: 'answer', chunks: ['ok'], ...(input === hostileText && { pages }) }));
      const urls = pages.map(({ url }) => url);
      const events = await collectEvents(harness, { input: hostileText, urls });
      const next = await collectEvents(harness, { input: 'and without' });
      expect([events, next].map(failureOf)).toEqual([null, null]);
      expect(harness.received(), 'the messages').toEqual([hostileText, 'and without']);
      const told = events.filter(({ type }) => type === 'pages');
      expect(told, 'results of the pages').toEqual([{ type: 'pages', pages }]);
      expect(isAfterText(events, 'pages'), 'whether the report comes after the text').toBe(true);
      expect(next.filter(({ type }) => type === 'pages')).toEqual([]);
      const carried = harness.carried?.() ?? proof.skip('what reaches the model is not seen here');
      expect(
        carried.map(({ urls: given = [] }) => given),
        'addresses that reached the model',
      ).toEqual([urls, []]);
    },
  );
}

const nothing: Grounding = { queries: [], sources: [], supports: [] };

function searchFor(query: string): FoundBySearch {
  return { queries: [query], sources: [{ url: `https://example.org/${query}`, title: query }], supports: [] };
}

/** What a run reported of its search; null without a report. Fails for two reports, or one before the last text. */
function groundingOf(events: readonly RunEvent[]): Grounding | null {
  const groundings = events.flatMap((event) => (event.type === 'grounding' ? [event.grounding] : []));
  expect(groundings.length, 'number of reports').toBeLessThanOrEqual(1);
  expect(isAfterText(events, 'grounding'), 'whether the report comes after the text').toBe(true);
  return groundings[0] ?? null;
}

function isAfterText(events: readonly RunEvent[], type: RunEvent['type']): boolean {
  const types = events.map((event) => event.type);
  return !types.includes(type) || types.indexOf(type) > types.lastIndexOf('text');
}
