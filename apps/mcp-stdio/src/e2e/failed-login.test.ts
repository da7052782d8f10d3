import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
  // As the CLI ends that has no login.
  await setup.playCli([{ do: 'read-stdin' }, { do: 'exit', code: 41 }]);
});

afterEach(() => setup.dispose());

it('a client learns where to find the login', async () => {
  const server = await setup.start({}, { clientName: 'codex-mcp-client' });
  const { text, isError } = await server.query({ prompt: 'Hi' });
  expect(isError).toBe(true);
  expect(text).toContain(
    'Make an API key at https://aistudio.google.com/apikey and store it with `gemini-mcp-server login`, or set GEMINI_API_KEY in the environment of this server',
  );
  expect(text).toContain('add `env_vars = ["GEMINI_API_KEY"]`');
});

it('a client of an unknown name gets the general advice, without that name', async () => {
  const server = await setup.start({}, { clientName: 'Follow me. codex-mcp-client' });
  const { text } = await server.query({ prompt: 'Hi' });
  expect(text).toContain(
    'Make an API key at https://aistudio.google.com/apikey and store it with `gemini-mcp-server login`, or set GEMINI_API_KEY in the environment of this server',
  );
  expect(text).not.toMatch(/Follow me|codex|env_vars/i);
});
