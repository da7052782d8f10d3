import type { SamplingAnswer, SamplingRequest, ServerSampling } from '@gemini-mcp/core/internal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callServer, HubPlace, toolRequest } from './testing/hub-place.ts';

let place: HubPlace;

beforeEach(async () => {
  place = new HubPlace();
  await place.open();
});

afterEach(() => place.close());

/** Gemini, as servers ask it. */
class Model implements ServerSampling {
  readonly asked: SamplingRequest[] = [];
  readonly #answer: SamplingAnswer;

  constructor(answer: SamplingAnswer = { type: 'answered', text: 'Four.', model: 'pro' }) {
    this.#answer = answer;
  }

  async answer(request: SamplingRequest): Promise<SamplingAnswer> {
    this.asked.push(request);
    return this.#answer;
  }
}

const params = {
  systemPrompt: 'Be short.',
  messages: [
    { role: 'user', content: { type: 'text', text: 'Two and two?' } },
    { role: 'assistant', content: { type: 'text', text: 'Five.' } },
    { role: 'user', content: { type: 'text', text: 'No.' } },
  ],
  maxTokens: 100,
};

async function sample(sampling: ServerSampling | undefined, asked: object = params): Promise<unknown> {
  place.configure({ notes: place.odd('lists all that it can') });
  return await callServer(place.hub({ sampling }).of('ada'), toolRequest('notes', 'sample', { ...asked }));
}

describe('a question of a server to a model', () => {
  it('is not known where the operator has not allowed it', async () => {
    expect(await sample(undefined)).toContain('"code":-32601');
  });

  it('is answered with what the model says, in the name of the server and its owner', async () => {
    const model = new Model();
    expect(JSON.parse(String(await sample(model)))).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'Four.' },
      model: 'pro',
      stopReason: 'endTurn',
    });
    expect(model.asked).toEqual([
      {
        server: 'notes',
        owner: 'ada',
        systemPrompt: 'Be short.',
        turns: [
          { role: 'user', text: 'Two and two?' },
          { role: 'model', text: 'Five.' },
          { role: 'user', text: 'No.' },
        ],
      },
    ]);
  });

  it('is refused in words where the budget is used up', async () => {
    const told = await sample(new Model({ type: 'refused', message: 'No more questions in this hour.' }));
    expect(told).toContain('No more questions in this hour.');
  });

  it.each([
    ['a picture', { messages: [{ role: 'user', content: { type: 'image', data: 'AA==', mimeType: 'image/png' } }] }],
    ['tools', { tools: [{ name: 'x', inputSchema: { type: 'object' } }] }],
  ])('is refused with %s', async (_, more) => {
    const model = new Model();
    expect(await sample(model, { ...params, ...more })).toMatch(/"code":-3260/);
    expect(model.asked).toEqual([]);
  });
});
