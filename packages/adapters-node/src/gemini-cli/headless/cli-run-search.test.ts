import { cliWays } from '@gemini-mcp/fake-gemini';
import {
  dailyQuota,
  grounded,
  modelNotFound,
  overloaded,
  text,
  toolCall,
} from '@gemini-mcp/port-contracts/offline-api';
import { describe, expect, it } from 'vitest';
import { model, resultsIn, useRealCliPlace } from '../testing/real-cli-place.ts';

describe.each(cliWays)('%s: the web search', (kind) => {
  const given = useRealCliPlace(kind, 'all');

  it('is the only tool, and asks the model of the run', async () => {
    given.api.reply(({ hasGoogleSearch }, index) => {
      if (hasGoogleSearch) {
        return grounded('It rains.', [{ title: 'weather.example', url: 'https://weather.example/now' }]);
      }
      return index === 0 ? toolCall('google_web_search', { query: 'weather' }) : text('Take an umbrella.');
    });
    const { events, failure, requests } = await given.place.run({ tools: 'web-search', model: 'gemini-3-pro-preview' });
    expect(failure).toBeNull();
    const first = { model: 'gemini-3.1-pro-preview', functionNames: ['google_web_search'] };
    expect(requests).toMatchObject([first, { model: 'gemini-3.1-pro-preview', hasGoogleSearch: true }, first]);
    expect(resultsIn(requests)[1]).toContain('https://weather.example/now');
    expect(events.filter(({ type }) => type === 'tool')).toMatchObject([{ phase: 'started' }, { phase: 'succeeded' }]);
  });

  it.each([
    ['is missing', modelNotFound(model), 'is not found for API version', 'model-not-found'],
    ['has used up its quota', dailyQuota(), 'exhausted your daily quota', 'quota-exhausted'],
  ])('whose model %s fails once, and says why', async (_, reply, said, kind) => {
    given.api.reply(({ hasGoogleSearch }, index) => {
      if (hasGoogleSearch) {
        return reply;
      }
      return index === 0 ? toolCall('google_web_search', { query: 'weather' }) : text('I could not search.');
    });
    const { events, requests } = await given.place.run({ tools: 'web-search' });
    expect(requests).toHaveLength(3);
    expect(events).toContainEqual({
      type: 'tool',
      name: 'google_web_search',
      phase: 'failed',
      detail: expect.stringContaining(said),
      failure: { kind, excerpt: expect.stringContaining(said), saidBy: 'the Gemini CLI' },
    });
  });

  it('that the CLI repeats for minutes, because the model is overloaded, is given up at once', async () => {
    const controller = new AbortController();
    given.api.reply(({ hasGoogleSearch }, index) => {
      if (index === 2) {
        controller.abort();
      }
      return hasGoogleSearch ? overloaded() : toolCall('google_web_search', { query: 'weather' });
    });
    const { failure, requests } = await given.place.run({ tools: 'web-search' }, controller.signal);
    expect(failure).toEqual({ kind: 'cancelled' });
    expect(requests).toHaveLength(3);
    given.api.reply(text('fine'));
    expect((await given.place.run({ tools: 'web-search' })).failure).toBeNull();
  });

  it('ends where the model searches without end', async () => {
    given.api.reply(({ hasGoogleSearch }) =>
      hasGoogleSearch ? text('x') : toolCall('google_web_search', { query: 'again' }),
    );
    const { failure, requests } = await given.place.run({ tools: 'web-search' });
    expect(failure).toMatchObject({ kind: 'turn-limit' });
    expect(requests.filter(({ hasGoogleSearch }) => hasGoogleSearch)).toHaveLength(8);
  });
});
