import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { plainRunSettings, type RunEnd, type RunEvent, type RunRequest } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { createFakeGeminiCli } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliGeminiRunner } from './cli-gemini-runner.ts';
import type { CliRun, CliTransport, Tell } from './cli-transport.ts';
import { HeadlessTransport } from './headless/headless-transport.ts';
import type { RunLimit } from './run-limit.ts';

type Carry = (run: CliRun, tell: Tell, limit: RunLimit) => Promise<RunEnd>;

const answer: RunEnd = { type: 'answer', ending: { type: 'complete' } };

let root: string;
let cli: string;
let clock: FakeClock;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'carried-runs-')));
  cli = await createFakeGeminiCli({ directory: join(root, 'cli') });
  clock = new FakeClock();
});

afterEach(async () => {
  expect(clock.sleeping).toBe(0);
  await rm(root, { recursive: true });
});

/** A runner whose requests go another way. */
function runnerBy(carry: Carry): CliGeminiRunner {
  const options = {
    clock,
    environment: { PATH: '/usr/bin:/bin', HOME: root, GEMINI_MCP_CLI: cli },
    runsDirectory: join(root, 'runs'),
    userDirectory: join(root, '.gemini'),
    roots: [root],
  };
  const { capabilities } = new HeadlessTransport(options);
  const transport: CliTransport = { capabilities, carry };
  return new CliGeminiRunner(options, transport);
}

function run(carry: Carry, given: Partial<RunRequest> = {}, signal = new AbortController().signal) {
  return runnerBy(carry).run({ model: 'm', input: 'Hi', deadlineAtMs: clock.now() + 1_000, ...given }, signal);
}

async function collect(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) {
    all.push(event);
  }
  return all;
}

function text(piece: string): Extract<RunEvent, { readonly type: 'text' }> {
  return { type: 'text', text: piece };
}

function whenReached({ signal }: RunLimit): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

describe("CliGeminiRunner passes on its carrier's reports", () => {
  it('in order, and then the end', async () => {
    const events = run(async (_, tell) => {
      tell(text('a'));
      await nextTurn();
      tell(text('b'));
      tell(text('c'));
      return answer;
    });
    expect(await collect(events)).toEqual([text('a'), text('b'), text('c'), answer]);
  });

  it('as it comes: nothing waits for the end', async () => {
    let end = (): void => undefined;
    const events = run(async (_, tell) => {
      tell(text('a'));
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return answer;
    });
    expect(await events.next()).toEqual({ done: false, value: text('a') });
    end();
    expect(await collect(events)).toEqual([answer]);
  });

  it('ends it when the consumer stops, and waits until it has ended', async () => {
    const steps: string[] = [];
    const events = run(async (_, tell, limit) => {
      tell(text('a'));
      await whenReached(limit);
      steps.push(limit.termination);
      await nextTurn();
      steps.push('gone');
      return answer;
    });
    for await (const _ of events) {
      break;
    }
    expect(steps).toEqual(['cancelled', 'gone']);
  });

  it.each([
    ['cancelled', (controller: AbortController) => controller.abort()],
    ['timed-out', () => clock.advance(1_000)],
  ] as const)('ends it by its limit: %s', async (termination, reach) => {
    const controller = new AbortController();
    const reached: string[] = [];
    const carry: Carry = async (_, tell, limit) => {
      tell(text('a'));
      await whenReached(limit);
      reached.push(limit.termination);
      return answer;
    };
    const events = run(carry, {}, controller.signal);
    await events.next();
    await reach(controller);
    expect(await collect(events)).toEqual([answer]);
    expect(reached).toEqual([termination]);
  });
});

describe('CliGeminiRunner whose carrier rejects', () => {
  it('ends as out of resources where the system is', async () => {
    const events = run(() => Promise.reject(Object.assign(new Error('no more'), { code: 'EMFILE' })));
    expect(await collect(events)).toMatchObject([{ type: 'failure', failure: { kind: 'resources-exhausted' } }]);
  });

  it('throws a bug to its consumer, also one that comes while the consumer is busy', async () => {
    const bug = new Error('a bug');
    const events = run(async (_, tell) => {
      tell(text('a'));
      throw bug;
    });
    await events.next();
    await nextTurn();
    await expect(events.next()).rejects.toBe(bug);
  });
});

describe('CliGeminiRunner without the directory', () => {
  const settings = { ...plainRunSettings, tools: 'everything' } as const;
  const places: string[] = [];
  const carry: Carry = async ({ place }) => {
    places.push(place.kind);
    return answer;
  };

  afterEach(() => places.splice(0));

  it('goes on if it is optional, and reports it first', async () => {
    const path = join(root, 'gone');
    const text = `Gemini could not work in the working directory: ${path} is not a directory.`;
    const events = await collect(run(carry, { settings, directory: { path, isOptional: true } }));
    expect(events).toEqual([{ type: 'notice', text }, answer]);
    expect(places).toEqual(['empty']);
  });

  it('refuses the request otherwise', async () => {
    const path = join(root, 'gone');
    const failure = { kind: 'directory-refused', detail: `${path} is not a directory` };
    const events = await collect(run(carry, { settings, directory: { path, isOptional: false } }));
    expect(events).toEqual([{ type: 'failure', failure }]);
    expect(places).toEqual([]);
  });
});
