import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainRunSettings, type RunEvent } from '@gemini-mcp/core';
import { cliAnswer, createFakeGeminiCli, PlaceSwapper, readInvocations } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseDescriptorProof } from '../../disk/open-verified.ts';
import { SystemClock } from '../../processes/system-clock.ts';
import { CliGeminiRunner } from '../cli-gemini-runner.ts';

/** `GEMINI_MCP_SWAP_SECONDS=60` is the full proof. */
const swapSeconds = Number(process.env['GEMINI_MCP_SWAP_SECONDS'] ?? 1);

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cli-run-swap-')));
  await mkdir(join(root, 'trusted/project'), { recursive: true });
  await symlink('..', join(root, 'trusted/link'));
});

afterEach(() => rm(root, { recursive: true }));

describe.runIf(chooseDescriptorProof() === 'kernel-link')('a trusted directory, and a link to its ancestor', () => {
  it('SWAP-07: change places while calls begin: the CLI starts in that directory or not at all', {
    timeout: 300_000,
  }, async () => {
    const directory = join(root, 'trusted/project');
    const clock = new SystemClock();
    const cli = await createFakeGeminiCli({ scenario: { runs: [cliAnswer('ok')] }, directory: join(root, 'cli') });
    const runner = new CliGeminiRunner({
      clock,
      environment: { PATH: '/usr/bin:/bin', HOME: root, GEMINI_MCP_CLI: cli, GEMINI_API_KEY: 'a-key' },
      runsDirectory: join(root, 'runs'),
      userDirectory: join(root, '.gemini'),
      trustedDirectories: [join(root, 'trusted')],
    });
    const swapper = await PlaceSwapper.start([directory, join(root, 'trusted/link')]);
    const settings = { ...plainRunSettings, tools: 'everything' } as const;
    const given = { settings, directory: { path: directory, isOptional: false } };
    const endsAt = performance.now() + swapSeconds * 1_000;
    let tries = 0;
    let refusals = 0;
    for (; performance.now() < endsAt || tries === 0; tries += 1) {
      const request = { model: 'gemini-2.5-pro', input: 'Hi', ...given, deadlineAtMs: clock.now() + 60_000 };
      const events: RunEvent[] = [];
      for await (const event of runner.run(request, new AbortController().signal)) {
        events.push(event);
      }
      refusals += events.some((event) => event.type === 'text') ? 0 : 1;
    }
    await swapper.stop();
    const places = (await readInvocations(join(root, 'cli'))).map(({ cwd }) => cwd);
    process.stdout.write(`trusted: ${JSON.stringify({ tries, refusals })}\n`);
    // The directory is the same under either name.
    const others = places.filter((place) => place !== join(root, 'trusted/link') && place !== directory);
    expect(others).toEqual([]);
  });
});
