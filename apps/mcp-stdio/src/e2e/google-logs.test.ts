import { isJsonRecord, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
  setup.api.reply(text('Because.'));
});

afterEach(() => setup.dispose());

describe.each(['api', 'headless', 'warm'])('what the built server lets Google log, by the way %s', (runner) => {
  it.each([
    ['nothing', '0', [false]],
    ['what the project of the key wants', '1', [undefined]],
  ])('is %s with GEMINI_MCP_ALLOW_GOOGLE_LOGS=%s', async (_, value, stored) => {
    setup.storesRequests = value === '1';
    const server = await setup.start({ GEMINI_MCP_RUNNER: runner, GEMINI_MCP_ALLOW_GOOGLE_LOGS: value });
    expect(await server.query({ prompt: 'Why?' })).toMatchObject({ isError: false });
    expect(setup.api.requests.map(({ body }) => isJsonRecord(body) && body['store'])).toEqual(stored);
  });
});
