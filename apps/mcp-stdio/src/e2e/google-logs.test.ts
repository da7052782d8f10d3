import { isJsonRecord, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
  setup.api.reply(text('Because.'));
});

afterEach(() => setup.dispose());

/** That nothing is logged unless it is allowed is looked at when any place of a test is disposed of. */
it.each(['api', 'headless', 'warm'])(
  'GEMINI_MCP_ALLOW_GOOGLE_LOGS=1 leaves to the project of the key what Google logs, by the way %s',
  async (runner) => {
    setup.storesRequests = true;
    const server = await setup.start({ GEMINI_MCP_RUNNER: runner, GEMINI_MCP_ALLOW_GOOGLE_LOGS: '1' });
    expect(await server.query({ prompt: 'Why?' })).toMatchObject({ isError: false });
    expect(setup.api.requests.map(({ body }) => isJsonRecord(body) && body['store'])).toEqual([undefined]);
  },
);
