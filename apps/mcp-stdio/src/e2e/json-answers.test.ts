import { inOrder, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { name: { type: 'string', pattern: '^[a-z]+$' }, kind: { const: 'fox' } },
  required: ['name', 'kind'],
  additionalProperties: false,
};
const json = '{"name": "reynard", "kind": "fox"}';
const prompt = 'Who is it? /quit @file';

let setup: ServerSetup;

afterEach(async () => {
  expect(await setup.leftovers()).toEqual([]);
  await setup.dispose();
});

async function listedArguments(server: ServerProcess): Promise<readonly string[]> {
  const { result } = await server.request('tools/list');
  const tools: readonly { name: string; inputSchema: { properties: object } }[] = Object(result).tools;
  return tools.flatMap(({ name, inputSchema }) => (name === 'gemini_query' ? Object.keys(inputSchema.properties) : []));
}

describe('a schema, the built server and the API alone', () => {
  beforeEach(async () => {
    setup = await ServerSetup.create();
  });

  it('is sent as far as the API knows it, and held to whole', async () => {
    setup.api.reply(inOrder(text('{"name": "Reynard", "kind": "fox"}'), text(json)));
    const server = await setup.startWithoutCli();
    expect(await listedArguments(server)).toEqual(expect.arrayContaining(['schema', 'thinking', 'urls']));
    expect(await server.query({ prompt, schema, thinking: 'low' })).toMatchObject({ isError: false, text: json });
    expect(setup.api.requests).toMatchObject([
      {
        userText: [prompt],
        body: {
          generationConfig: {
            responseMimeType: 'application/json',
            responseJsonSchema: { properties: { kind: { type: 'string', enum: ['fox'] } } },
            thinkingConfig: { thinkingLevel: 'LOW' },
          },
        },
      },
      { userText: [expect.stringContaining('- name: must match the pattern "^[a-z]+$" (given: "Reynard")')] },
    ]);
  });
});

describe('a schema, the built server and the real Gemini CLI', () => {
  beforeEach(async () => {
    setup = await ServerSetup.create('headless');
  });

  it('is asked for after the prompt, which arrives as it is, and once more where the answer does not fit; thinking is not listed, and refused', async () => {
    setup.api.reply(inOrder(text('It is Reynard.'), text(json)));
    const server = await setup.start();
    expect(await server.query({ prompt, schema })).toMatchObject({ isError: false, text: json });
    const sent = setup.api.requests.map(({ userText }) => userText.join(''));
    expect(sent).toHaveLength(2);
    expect(sent[0]).toContain(`${prompt}\n\nAnswer with one JSON value`);
    expect(sent[1]).toContain('The answer is not JSON.');
    expect(sent[1]).toContain(JSON.stringify(schema));

    expect(await listedArguments(server)).not.toContain('thinking');
    const answer = await server.query({ prompt, thinking: 'high' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('have no thinking level') });
    expect(setup.api.requests).toHaveLength(2);
  });
});
