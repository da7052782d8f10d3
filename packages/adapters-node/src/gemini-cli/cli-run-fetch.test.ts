import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plainRunSettings, type RunEvent, type RunSettings } from '@gemini-mcp/core';
import { createFakeGeminiCli, makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../processes/system-clock.ts';
import { CliGeminiRunner } from './cli-gemini-runner.ts';
import { GeminiCliFinder } from './finding/gemini-cli-finder.ts';
import type { GeminiCliLocation } from './finding/locate-gemini-cli.ts';

const fetching = { type: 'status', text: expect.stringMatching(/^Fetching the Gemini CLI with npx.* 120 MB/) };
const clock = new SystemClock();

let root: string;

beforeEach(async () => {
  root = await makeSafeDirectory();
  await mkdir(join(root, 'bin'));
});

afterEach(() => rm(root, { recursive: true }));

/** An npx that waits at a gate until the test opens it, and then prints where the CLI is. */
async function installNpx(): Promise<{ readonly open: () => Promise<void> }> {
  const gate = join(root, 'gate');
  await execa('mkfifo', [gate]);
  await createFakeGeminiCli({ directory: join(root, 'fetched') });
  const script = `#!/bin/sh\nread -r line < "${gate}"\necho "${join(root, 'fetched')}"\n`;
  await writeFile(join(root, 'bin', 'npx'), script, { mode: 0o755 });
  // Opening a pipe to write waits for its reader.
  return { open: () => writeFile(gate, 'go\n') };
}

/** On a machine that has no CLI, no npm next to Node, and nothing else on PATH. */
function createFinder(login: Readonly<Record<string, string>> = { GEMINI_API_KEY: 'AIza-key' }) {
  const environment = { PATH: join(root, 'bin'), HOME: join(root, 'home'), ...login };
  const options = { clock, environment, runsDirectory: join(root, 'runs'), userDirectory: join(root, '.gemini') };
  const places = { nodePath: join(root, 'no-node', 'bin', 'node'), sharedDirectories: [] };
  return { options, finder: new GeminiCliFinder(options, places) };
}

function createRunner(login?: Readonly<Record<string, string>>): CliGeminiRunner {
  const { options, finder } = createFinder(login);
  return new CliGeminiRunner({ ...options, finder });
}

/** The search of a first caller, once it has asked npx. */
function whenFetching(finder: GeminiCliFinder, signal: AbortSignal) {
  return new Promise<{ readonly location: Promise<GeminiCliLocation | null> }>((resolve) => {
    const location = finder.find(() => resolve({ location }), signal);
  });
}

function run(runner: CliGeminiRunner, settings: RunSettings = plainRunSettings): AsyncGenerator<RunEvent> {
  const request = { model: 'm', input: 'Hi', settings, deadlineAtMs: clock.now() + 40_000 };
  return runner.run(request, new AbortController().signal);
}

async function rest(events: AsyncGenerator<RunEvent>): Promise<readonly RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) {
    all.push(event);
  }
  return all;
}

describe.skipIf(process.platform === 'win32')('a CLI that npx has to fetch', () => {
  it('is announced before the fetch to each waiting run, and not to later ones', async () => {
    const { open } = await installNpx();
    const runner = createRunner();
    const [first, second] = [run(runner), run(runner)];
    expect((await first.next()).value).toEqual(fetching);
    expect((await second.next()).value).toEqual(fetching);
    await open();
    for (const events of [await rest(first), await rest(second), await rest(run(runner))]) {
      expect(events.at(-1)).toMatchObject({ type: 'answer' });
      expect(events.map(({ type }) => type)).not.toContain('status');
    }
  });

  it('is not fetched before a login is known: from the environment, the home, or a call', async () => {
    const { open } = await installNpx();
    const runner = createRunner({});
    const noLogin = { type: 'failure', failure: { kind: 'authentication', problem: 'missing', excerpt: '' } };
    expect(await rest(run(runner))).toEqual([noLogin]);
    const withKey = run(runner, { ...plainRunSettings, apiKey: 'AIza-of-call' });
    expect((await withKey.next()).value).toEqual(fetching);
    await open();
    expect((await rest(withKey)).at(-1)).toMatchObject({ type: 'answer' });

    await mkdir(join(root, '.gemini'));
    await writeFile(join(root, '.gemini', '.env'), 'GEMINI_API_KEY=AIza-key\n');
    const withFile = run(createRunner({}));
    expect((await withFile.next()).value).toEqual(fetching);
    await open();
    expect((await rest(withFile)).at(-1)).toMatchObject({ type: 'answer' });
  });

  it('is not announced without npx', async () => {
    expect(await rest(run(createRunner()))).toMatchObject([{ type: 'failure', failure: { kind: 'cli-missing' } }]);
  });

  it('is still fetched for one caller when another leaves', async () => {
    const { open } = await installNpx();
    const { finder } = createFinder();
    const leaving = new AbortController();
    const gone = await whenFetching(finder, leaving.signal);
    const staying = finder.find(() => undefined, new AbortController().signal);
    leaving.abort();
    expect(await gone.location).toBeNull();
    await open();
    expect(await staying).toMatchObject({ found: true });
  });

  it('stops being fetched with the last caller, and is fetched again for the next', async () => {
    const { open } = await installNpx();
    const { finder } = createFinder();
    for (const isLast of [false, true]) {
      const caller = new AbortController();
      const { location } = await whenFetching(finder, caller.signal);
      if (isLast) {
        await open();
        expect(await location).toMatchObject({ found: true });
      } else {
        caller.abort();
        expect(await location).toBeNull();
      }
    }
    expect(await finder.find(() => undefined, AbortSignal.abort())).toBeNull();
  });
});
