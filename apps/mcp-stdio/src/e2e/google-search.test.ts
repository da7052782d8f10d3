import { cliWays } from '@gemini-mcp/fake-gemini';
import {
  dailyQuota,
  grounded,
  type RecordedRequest,
  type Reply,
  text,
  toolCall,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const sources = [{ title: 'example.org', url: 'https://example.org/fox' }];
const report = {
  summary: 'Foxes are red.',
  sources: [{ url: 'https://example.org/fox', title: 'Foxes', snippet: 'They are red.' }],
};

/** The model calls the search tool first; what the tool asks is another request, without functions. */
function isMain({ functionNames }: RecordedRequest): boolean {
  return functionNames.length > 0;
}

function hasSearched({ contents }: RecordedRequest): boolean {
  return JSON.stringify(contents).includes('functionResponse');
}

describe.each(cliWays)('googleSearch, the built server and the real Gemini CLI, %s', (runner) => {
  let setup: ServerSetup;
  let server: ServerProcess;

  beforeAll(async () => {
    setup = await ServerSetup.create(runner);
    server = await setup.start();
  });

  afterAll(() => setup.dispose());

  const answerSearchesWith = (searched: Reply, final: string): void =>
    setup.api.reply((request) => {
      if (!isMain(request)) {
        return searched;
      }
      return hasSearched(request) ? text(final) : toolCall('google_web_search', { query: 'colour of foxes' });
    });

  it('searches: the tool asks with grounding, its sources reach the model, and the answer can be JSON for a program', async () => {
    const final = `Here you are:\n\`\`\`json\n${JSON.stringify(report)}\n\`\`\``;
    answerSearchesWith(grounded('Foxes are red.', sources, ['colour of foxes']), final);
    const answer = await server.call('googleSearch', { query: 'What colour are foxes?', raw: true, limit: 3 });
    expect(answer.isError).toBe(false);
    expect(JSON.parse(answer.text)).toEqual(report);
    const searches = setup.api.requests.filter(({ hasGoogleSearch }) => hasGoogleSearch);
    expect(searches).toHaveLength(1);
    const main = setup.api.requests.filter(isMain);
    expect(main.every(({ functionNames }) => functionNames.includes('google_web_search'))).toBe(true);
    expect(main.flatMap(({ functionNames }) => functionNames)).not.toContain('read_file');
    expect(JSON.stringify(main.at(-1)?.contents)).toContain('https://example.org/fox');
    expect(await setup.leftovers()).toEqual([]);
  });

  it('ends at once in a clear failure when the model of its search has no quota left', async () => {
    const askedBefore = setup.api.requests.length;
    answerSearchesWith(dailyQuota(), 'I could not search.');
    const answer = await server.call('googleSearch', { query: 'foxes', model: 'gemini-3.1-pro-preview' });
    const words = 'the daily quota of this model is used up';
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(words) });
    // The CLI of itself would repeat a failing search hundreds of times a second.
    expect(setup.api.requests.length - askedBefore).toBeLessThan(6);
  });
});
