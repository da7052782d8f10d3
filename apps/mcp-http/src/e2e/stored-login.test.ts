import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTestProgram } from '@gemini-mcp/fake-gemini';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serverPath } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';

let setup: HttpSetup;

beforeEach(async () => {
  setup = await HttpSetup.create();
});

afterEach(() => setup.dispose());

it('the built HTTP server asks with the key that its own command stored', async () => {
  const { GEMINI_API_KEY: key = '', ...environment } = setup.environmentWithoutCli();
  const args = ['login', '--store=file'];
  const stored = await runTestProgram({ file: serverPath, args, cwd: setup.project, input: key, environment });
  expect(stored.stdout).toMatch(/^Google accepts the key[\s\S]*\nThe login is stored in /);
  const file = join(environment['HOME'] ?? '', '.config', 'gemini-mcp-server', 'login.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ place: 'file', key });

  setup.api.reply(text('Hello'));
  const { origin } = await setup.startWithoutCli({ GEMINI_API_KEY: '' });
  const client = new McpHttpClient({ origin, token });
  const answer = await client.call('gemini_query', { prompt: 'Hi' });
  client.close();
  expect(answer.text).toMatch(/^Hello/);
  expect(setup.api.requests.at(-1)?.apiKey).toBe(key);
});
