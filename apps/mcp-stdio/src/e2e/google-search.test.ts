import { runnersUnderTest } from '@gemini-mcp/fake-gemini';
import {
  dailyQuota,
  grounded,
  modelNotFound,
  type RecordedRequest,
  text,
  toolCall,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

describe.each(runnersUnderTest)('googleSearch, the built server and the real Gemini CLI, %s', (runner) => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create(runner);
  });

  afterEach(async () => {
    await setup.dispose();
  });

  const answerSearchesWith = (final: string): void =>
    setup.api.reply((request) => {
      if (!isMain(request)) {
        return grounded('Foxes are red.', sources, ['colour of foxes']);
      }
      return hasSearched(request) ? text(final) : toolCall('google_web_search', { query: 'colour of foxes' });
    });

  it('searches: the tool asks with grounding, its sources reach the model, the answer is prose', async () => {
    answerSearchesWith('Foxes are red (https://example.org/fox).');
    const server = await setup.start();
    const answer = await server.call('googleSearch', { query: 'What colour are foxes?' });
    expect(answer).toMatchObject({ isError: false, text: expect.stringMatching(/^Foxes are red/) });
    const searches = setup.api.requests.filter(({ hasGoogleSearch }) => hasGoogleSearch);
    expect(searches).toHaveLength(1);
    const main = setup.api.requests.filter(isMain);
    expect(main.every(({ functionNames }) => functionNames.includes('google_web_search'))).toBe(true);
    expect(main.flatMap(({ functionNames }) => functionNames)).not.toContain('read_file');
    expect(JSON.stringify(main.at(-1)?.contents)).toContain('https://example.org/fox');
    expect(await setup.leftovers()).toEqual([]);
  });

  it('raw: JSON that a program can read', async () => {
    answerSearchesWith(`Here you are:\n\`\`\`json\n${JSON.stringify(report)}\n\`\`\``);
    const server = await setup.start();
    const answer = await server.call('googleSearch', { query: 'foxes', raw: true, limit: 3 });
    expect(answer.isError).toBe(false);
    expect(JSON.parse(answer.text)).toEqual(report);
  });

  it.each([
    ['answers 404', modelNotFound('gemini-3.1-pro-preview'), 'the model is not available'],
    ['has no quota left', dailyQuota(), 'the daily quota of this model is used up'],
  ])('ends at once in a clear failure when the model of its search %s', async (_, reply, words) => {
    setup.api.reply((request) => {
      if (!isMain(request)) {
        return reply;
      }
      return hasSearched(request) ? text('I could not search.') : toolCall('google_web_search', { query: 'foxes' });
    });
    const server = await setup.start();
    const answer = await server.call('googleSearch', { query: 'foxes', model: 'gemini-3.1-pro-preview' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(words) });
    // The CLI of itself would repeat a failing search hundreds of times a second.
    expect(setup.api.requests.length).toBeLessThan(6);
  });
});
