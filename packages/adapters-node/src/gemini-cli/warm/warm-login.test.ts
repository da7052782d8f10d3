import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '@gemini-mcp/core';
import { createFakeGeminiCli, readAcpProcesses } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SystemClock } from '../../processes/system-clock.ts';
import { WarmGeminiRunner } from './warm-gemini-runner.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'warm-login-'));
  await mkdir(join(root, '.gemini'));
});

afterEach(() => rm(root, { recursive: true }));

/** What a run ends with, and how many processes were started for it. */
async function runWith(variables: Readonly<Record<string, string>>): Promise<readonly [RunEvent | undefined, number]> {
  const clock = new SystemClock();
  const directory = join(root, 'cli');
  const cli = await createFakeGeminiCli({ directory, acp: { processes: [{}] } });
  const runner = new WarmGeminiRunner({
    clock,
    environment: { PATH: '/usr/bin:/bin', GEMINI_MCP_CLI: cli, ...variables },
    runsDirectory: join(root, 'runs'),
    userDirectory: join(root, '.gemini'),
    limits: { spareSessions: 0 },
  });
  const request = { model: 'gemini-2.5-pro', input: 'Hi', deadlineAtMs: clock.now() + 40_000 };
  const events: RunEvent[] = [];
  for await (const event of runner.run(request, new AbortController().signal)) {
    events.push(event);
  }
  await runner.close();
  return [events.at(-1), (await readAcpProcesses(directory)).length];
}

it.each([
  ['no login at all', {}],
  ['a login with Google that was never made', { GOOGLE_GENAI_USE_GCA: 'true' }],
])('%s is left to a runner that can name the missing requirement', async (_, variables) => {
  expect(await runWith(variables)).toMatchObject([{ failure: { kind: 'unsupported', feature: 'login' } }, 0]);
});

it('a login with Google that was made is used', async () => {
  await writeFile(join(root, '.gemini', 'oauth_creds.json'), '{"refresh_token":"lasting"}');
  expect(await runWith({ GOOGLE_GENAI_USE_GCA: 'true' })).toMatchObject([{ type: 'answer' }, 1]);
});
