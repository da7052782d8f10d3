import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acpUnknownFlag, cliAnswer, createFakeGeminiCli, readInvocations } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

describe('a CLI that knows no session mode, the built server', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create();
    const scenario = { runs: [cliAnswer('from a run of its own')] } as const;
    const acp = { processes: [acpUnknownFlag()] } as const;
    setup.useCli(await createFakeGeminiCli({ scenario, acp, directory: setup.cliDirectory }));
  });

  afterEach(() => setup.dispose());

  it('auto, with a login that only the CLI has: each call is carried by a run of its own, and the log says why', async () => {
    await mkdir(join(setup.root, '.gemini'));
    await writeFile(join(setup.root, '.gemini', 'oauth_creds.json'), '{"refresh_token":"of-ada"}');
    const server = await setup.start({
      GEMINI_MCP_RUNNER: 'auto',
      GEMINI_MCP_LOG_LEVEL: 'debug',
      GOOGLE_GENAI_USE_GCA: 'true',
    });
    for (const prompt of ['one', 'two']) {
      const answer = await server.query({ prompt });
      expect(answer).toMatchObject({ isError: false, text: expect.stringContaining('from a run of its own') });
    }
    expect(await readInvocations(setup.cliDirectory)).toHaveLength(2);
    expect(server.stderr).toContain('the runner before it was unavailable');
    expect(await setup.leftovers()).toEqual([]);
  });

  it('warm: a clear failure, and nothing is run in another way', async () => {
    const server = await setup.start({ GEMINI_MCP_RUNNER: 'warm' });
    const answer = await server.query({ prompt: 'Hi', model: 'gemini-3.1-pro-preview' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('Unknown argument: acp');
    expect(await readInvocations(setup.cliDirectory)).toEqual([]);
    expect(await setup.leftovers()).toEqual([]);
  });
});
