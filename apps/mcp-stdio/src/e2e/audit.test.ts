import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { playAgent } from './scripted-agent.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
  await writeFile(join(setup.project, 'sum.js'), 'a - b\n');
});
afterEach(() => setup.dispose());

async function readAudit(): Promise<readonly Record<string, unknown>[]> {
  const directory = join(setup.stateDirectory, 'audit');
  const names = await readdir(directory).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return texts
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

it('has the caller and the tool of each call, and the changes and refusals of a run', async () => {
  const server = await setup.start({ GEMINI_MCP_AUDIT: 'digest', GEMINI_MCP_RUNNER: 'api' }, { clientName: 'codex' });
  setup.api.reply(text(['Yes.']));
  await server.call('gemini_query', { prompt: 'Is it a secret?' });
  playAgent(
    setup.api,
    [
      [['change_file', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' }]],
      [['view_file', { file_path: '.env' }]],
    ],
    'Done.',
  );
  await server.call('gemini_agent', { task: 'Mend it.', mode: 'edit' });
  server.endInput();
  await server.ended;
  const entries = await readAudit();
  expect(entries).toMatchObject([
    { type: 'call', client: 'codex', tool: 'gemini_query', outcome: 'answered', work: null },
    {
      tool: 'gemini_agent',
      outcome: 'answered',
      work: { mode: 'edit', changed: [{ path: 'sum.js', kind: 'modified' }], refused: [{ tool: 'view_file' }] },
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain('secret');
});

it('is off unless the operator wants it', async () => {
  const server = await setup.start({ GEMINI_MCP_RUNNER: 'api' });
  setup.api.reply(text(['Yes.']));
  await server.call('gemini_query', { prompt: 'Hi' });
  server.endInput();
  await server.ended;
  expect(await readAudit()).toEqual([]);
});
