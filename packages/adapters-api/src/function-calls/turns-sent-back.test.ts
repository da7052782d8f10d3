import type { RunEvent, RunRequest, ToolProvider } from '@gemini-mcp/core';
import {
  type AnswerReply,
  type OfflineGeminiApi,
  startOfflineGeminiApi,
  text,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiLogin } from '../api-login.ts';
import { collect } from '../testing/ask.ts';
import { RunnerPlace } from '../testing/runner-place.ts';
import { wallClock } from '../testing/wall-clock.ts';

const place = new RunnerPlace();
let api: OfflineGeminiApi;

beforeEach(async () => {
  api = await startOfflineGeminiApi();
});

afterEach(() => api.close());

const look = { name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, changes: false };
const source: ToolProvider = {
  list: async () => [look],
  call: async () => ({ text: 'seen', isDone: true, data: {} }),
};

const call = { functionCall: { name: 'look', args: {} } };

function saying(...parts: readonly Record<string, unknown>[]): AnswerReply {
  return { kind: 'answer', finishReason: 'STOP', chunks: parts.map((part) => ({ parts: [part] })) };
}

/** Asks for a run whose model says this first, and `done` once it has the result of its call. */
async function askWith(first: AnswerReply, model: string, login?: ApiLogin): Promise<readonly RunEvent[]> {
  api.reply((_, index) => (index === 0 ? first : text('done')));
  const runner = place.runnerAt(api.url, login === undefined ? {} : { login, vertexBaseUrl: api.url });
  const request: RunRequest = {
    model,
    input: 'Look.',
    deadlineAtMs: wallClock.now() + 60_000,
    toolProviders: [source],
  };
  return collect(runner.run(request, new AbortController().signal));
}

/** The turn of the model as it was sent back. */
function sentBack(): unknown {
  return api.requests[1]?.contents[1]?.parts;
}

describe.each([
  ['the Gemini API', undefined],
  ['Vertex AI', { type: 'vertex-key', apiKey: 'AIzaFake-vertex_key_of_the_tests_0000000' }],
] as const)('turns that are sent back to %s', (_, login) => {
  it('have no empty texts, which are refused', async () => {
    const signed = { ...call, thoughtSignature: 'c2ln' };
    const said = saying({ text: '' }, signed, { text: '' }, { text: 'I look.' });
    const events = await askWith(said, 'gemini-4-carbon', login);
    expect(events.at(-1)).toMatchObject({ type: 'answer' });
    expect(sentBack()).toEqual([signed, { text: 'I look.' }]);
  });

  it('keep a text that is empty but for its signature', async () => {
    const signature = { text: '', thoughtSignature: 'c2ln' };
    const events = await askWith(saying(call, signature), 'gemini-2.5-pro', login);
    expect(events.at(-1)).toMatchObject({ type: 'answer' });
    expect(sentBack()).toEqual([call, signature]);
  });

  it.each(['gemini-3.8-flash', 'gemini-4-carbon', 'gemini-pro-latest'])(
    'have a placeholder for the signature that %s did not give its first call',
    async (model) => {
      const events = await askWith(saying(call, call), model, login);
      expect(events.at(-1)).toMatchObject({ type: 'answer' });
      expect(sentBack()).toEqual([{ ...call, thoughtSignature: 'skip_thought_signature_validator' }, call]);
    },
  );

  it('are sent as they came to models that check no signatures', async () => {
    await askWith(saying(call), 'gemini-2.5-pro', login);
    expect(sentBack()).toEqual([call]);
  });
});
