import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiError, brokenBy, type RecordedRequest, type Reply, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

const keyOfCall = 'AIzaOf-the-call_and-no-one-else_0000001';

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
});

afterEach(() => setup.dispose());

function errorWith(message: string): ReturnType<typeof apiError> {
  return apiError({ code: 403, status: 'PERMISSION_DENIED', message });
}

/** The ways that an API can repeat the key of a request. */
const repeats: readonly (readonly [string, (key: string) => Reply])[] = [
  ['in an error', (key) => errorWith(`The key ${key} may not do this.`)],
  ['in base64', (key) => errorWith(Buffer.from(`key: ${key}`).toString('base64'))],
  ['where an excerpt is cut', (key) => errorWith(`${'x'.repeat(480)}${key}`)],
  ['in an error after text', (key) => brokenBy(errorWith(`?key=${key}&alt=sse`), ['Begin'])],
  ['as why the answer ended', (key) => text('Begin', { finishReason: key })],
  ['as the model that answered', (key) => ({ ...text('Begin'), responseFields: { modelVersion: key } })],
];

async function filesBelow(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('');
}

it('SECRET-05: a key that the API repeats is in no answer, no log at trace, no argument and no file', async () => {
  const server = await setup.startWithoutCli({ GEMINI_MCP_LOG_LEVEL: 'trace' });
  const own = setup.api.environment().GEMINI_API_KEY;
  let said = '';
  for (const [, reply] of repeats) {
    setup.api.reply(({ apiKey }: RecordedRequest) => reply(apiKey ?? ''));
    for (const key of [{}, { apiKey: keyOfCall }]) {
      const { text: answer, meta } = await server.call('geminiChat', {
        prompt: 'Why?',
        model: 'gemini-3.8-flash',
        ...key,
      });
      said += `${answer}${JSON.stringify(meta)}`;
    }
  }
  expect(setup.api.requests.map(({ apiKey }) => apiKey)).toEqual(repeats.flatMap(() => [own, keyOfCall]));
  said += server.stderr + (await readFile(`/proc/${server.pid}/cmdline`, 'utf8')) + (await filesBelow(setup.root));
  expect(said).toContain('[redacted]');
  for (const key of [own, keyOfCall]) {
    // Half of it in one piece is already too much of it.
    for (let at = 0; at + 20 <= key.length; at += 1) {
      expect(said).not.toContain(key.slice(at, at + 20));
    }
    expect(said).not.toContain(Buffer.from(`key: ${key}`).toString('base64').slice(12, 40));
  }
});
