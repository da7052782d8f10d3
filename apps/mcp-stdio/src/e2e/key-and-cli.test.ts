import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { acpUnknownFlag, cliAnswer, createFakeGeminiCli, readInvocations } from '@gemini-mcp/fake-gemini';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const readers = ['view_file', 'look_at', 'list_files', 'search_files'];

describe('the built server with a key and with a CLI', () => {
  let setup: ServerSetup;
  let server: ServerProcess;

  beforeAll(async () => {
    setup = await ServerSetup.create();
    setup.api.reply(text('From the API.'));
    const scenario = { runs: [cliAnswer('From the CLI.')] } as const;
    const acp = { processes: [acpUnknownFlag()] } as const;
    setup.useCli(await createFakeGeminiCli({ scenario, acp, directory: setup.cliDirectory }));
    const trusted = join(setup.project, 'trusted');
    await mkdir(trusted);
    server = await setup.start({
      GEMINI_MCP_RUNNER: 'auto',
      GEMINI_MCP_ALLOW_YOLO: '1',
      GEMINI_MCP_TRUSTED_DIRS: trusted,
    });
  });

  afterAll(() => setup.dispose());

  it('uses the API, with tools also for a directory, and looks for no CLI', async () => {
    const calls: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
      ['gemini_query', { prompt: 'Hi' }, []],
      ['chat', { prompt: 'Hi' }, readers],
      ['geminiChat', { prompt: 'Hi', workingDirectory: '.' }, readers],
      ['chat', { prompt: 'Hi', cwd: 'trusted' }, readers],
    ];
    for (const [tool, args, tools] of calls) {
      const answer = await server.call(tool, args);
      expect(answer.text).toMatch(/^From the API\.[\s\S]*\nVia: Gemini API \(API key\)(\n|$)/);
      expect(setup.api.requests.at(-1)?.functionNames).toEqual(tools);
    }
    expect(server.stderr).not.toContain('cli-found');
    expect(await readInvocations(setup.cliDirectory)).toEqual([]);
  });

  it.each(['.', 'trusted'])(
    'gives the CLI what only that can do, and says so: yolo in %s',
    async (workingDirectory) => {
      const askedBefore = setup.api.requests.length;
      const args = workingDirectory === '.' ? {} : { workingDirectory };
      const answer = await server.call('geminiChat', { prompt: 'Hi', yolo: true, ...args });
      expect(answer).toMatchObject({ isError: false, text: expect.stringMatching(/^From the CLI\./) });
      expect(answer.text).toContain('\nVia: Gemini CLI, because ');
      expect(answer.text).not.toContain('Note:');
      expect(setup.api.requests).toHaveLength(askedBefore);
      expect(server.stderr).toContain('"event":"runner-chosen"');
    },
  );
});
