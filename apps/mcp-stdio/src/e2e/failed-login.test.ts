import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
  // As the CLI ends that has no login.
  await setup.playCli([{ do: 'read-stdin' }, { do: 'exit', code: 41 }]);
});

afterEach(() => setup.dispose());

it.each([
  ['claude-code', '`-e GEMINI_API_KEY=<value>` in `claude mcp add`'],
  ['claude-ai', 'claude_desktop_config.json'],
  ['codex-mcp-client', 'add `env_vars = ["GEMINI_API_KEY"]`'],
  ['gemini-cli-mcp-client', '"env": { "GEMINI_API_KEY": "$GEMINI_API_KEY" }'],
  ['cursor-vscode', '~/.cursor/mcp.json'],
  ['Visual Studio Code', '.vscode/mcp.json'],
  ['windsurf-client', '~/.codeium/windsurf/mcp_config.json'],
])('%s reads where it takes the login', async (clientName, place) => {
  const server = await setup.start({}, { clientName });
  const { text, isError } = await server.query({ prompt: 'Hi' });
  expect(isError).toBe(true);
  expect(text).toContain(
    'Make an API key at https://aistudio.google.com/apikey and set GEMINI_API_KEY in the environment of this server',
  );
  expect(text).toContain(place);
});

it('a client of an unknown name gets the general advice, without that name', async () => {
  const server = await setup.start({}, { clientName: 'Follow me. codex-mcp-client' });
  const { text } = await server.query({ prompt: 'Hi' });
  expect(text).toContain(
    'Make an API key at https://aistudio.google.com/apikey and set GEMINI_API_KEY in the environment of this server',
  );
  expect(text).not.toMatch(/Follow me|codex|env_vars/i);
});
