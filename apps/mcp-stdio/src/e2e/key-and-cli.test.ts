import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { acpUnknownFlag, cliAnswer, createFakeGeminiCli, readInvocations } from '@gemini-mcp/fake-gemini';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

describe('the built server with a key and with a CLI', () => {
  let setup: ServerSetup;
  let server: ServerProcess;

  beforeEach(async () => {
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

  afterEach(async () => {
    await setup.dispose();
  });

  it('asks the API, and looks for no CLI', async () => {
    const answer = await server.query({ prompt: 'Hi' });
    expect(answer.text).toMatch(/^From the API\.[\s\S]*\nWay: Gemini API \(API key\)$/);
    expect(server.stderr).not.toContain('cli-found');
    expect(await readInvocations(setup.cliDirectory)).toEqual([]);
  });

  it.each([
    ['chat', { prompt: 'Hi' }],
    ['geminiChat', { prompt: 'Hi', workingDirectory: '.' }],
    ['chat', { prompt: 'Hi', cwd: 'trusted' }],
  ])('asks the API about a directory as well, and lends it tools: %s %j', async (tool, args) => {
    const answer = await server.call(tool, args);
    expect(answer.text).toMatch(/^From the API\.[\s\S]*\nWay: Gemini API \(API key\)(\n|$)/);
    expect(setup.api.requests[0]?.functionNames).toEqual(['view_file', 'look_at', 'list_files', 'search_files']);
    expect(await readInvocations(setup.cliDirectory)).toEqual([]);
  });

  it.each([
    ['geminiChat', { prompt: 'Hi', yolo: true }],
    ['geminiChat', { prompt: 'Hi', yolo: true, workingDirectory: 'trusted' }],
  ])('gives the CLI what only that can do, and says so: %s %j', async (tool, args) => {
    const answer = await server.call(tool, args);
    expect(answer).toMatchObject({ isError: false, text: expect.stringMatching(/^From the CLI\./) });
    expect(answer.text).toContain('\nWay: Gemini CLI, because ');
    expect(answer.text).not.toContain('Note:');
    expect(setup.api.requests).toEqual([]);
    expect(server.stderr).toContain('"event":"runner-chosen"');
  });
});
