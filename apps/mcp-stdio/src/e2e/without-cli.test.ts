import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildWatch, watchChildren } from '@gemini-mcp/fake-gemini';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;
let children: ChildWatch;

beforeEach(async () => {
  setup = await ServerSetup.create();
  children = await watchChildren(setup.root);
});

afterEach(async () => {
  await setup.dispose();
});

const start = (environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> =>
  setup.startWithoutCli({ ...children.environment, ...environment });

describe('the built server with a key, where no Gemini CLI is installed', () => {
  it('answers over the API, and says so', async () => {
    await writeFile(join(setup.project, 'a.txt'), 'alpha\n');
    setup.api.reply(text('It is alpha.', { usage: { promptTokens: 12, candidatesTokens: 3 } }));
    const server = await start();
    const answer = await server.query({ prompt: 'What is it?', files: ['a.txt'] });
    expect(answer.isError).toBe(false);
    expect(answer.text).toMatch(/^It is alpha\.\n\n---\n/);
    expect(answer.text).toContain('\nWay: Gemini API (API key)\n');
    expect(await children.started()).toEqual([]);
  });
});
