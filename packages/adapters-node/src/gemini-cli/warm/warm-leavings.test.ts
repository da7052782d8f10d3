import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AcpProcessScript, type AcpStep, whenFileExists } from '@gemini-mcp/fake-gemini';
import { LeapingClock } from '@gemini-mcp/port-contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakeWarmPlace, type FakeWarmPlace, type FakeWarmPlaceOptions } from './testing/fake-warm-place.ts';

const history = [
  { role: 'user', text: 'one' },
  { role: 'model', text: 'ONE' },
] as const;

const refused: AcpStep = { do: 'error', code: -32603, message: 'No' };

let place: FakeWarmPlace | undefined;

/** With a process that stays, for whatever directory. */
async function create(script: AcpProcessScript, options: FakeWarmPlaceOptions = {}): Promise<FakeWarmPlace> {
  place = await createFakeWarmPlace({ processes: [script], ...options });
  return place;
}

afterEach(async () => {
  const left = await place?.dispose();
  place = undefined;
  expect(left).toEqual([]);
});

/** Histories, copies, and what the CLI keeps of the directories of copies. */
async function leavings(given: FakeWarmPlace): Promise<readonly string[]> {
  return (await given.files()).filter((name) => /\.jsonl$|directory-/.test(name));
}

/** A second model, for which the session of a process has to change its own. */
async function startAs(model: string, given: FakeWarmPlace): Promise<void> {
  expect((await given.ask({ model })).failure).toBeNull();
  expect((await given.ask({ model, directory: given.project })).failure).toBeNull();
}

describe('where no session comes about', () => {
  it.each([
    ['a model is refused', { modelChanges: [[refused]] }, ['unknown', 'unknown', 'unknown']],
    ['a history is refused', { loadedSessions: [[refused]] }, ['unknown', 'unknown', null]],
    ['a session is refused', { newSessions: [[], [refused]] }, [null, null, 'unknown']],
  ] satisfies readonly (readonly [string, AcpProcessScript, readonly (string | null)[]])[])(
    'nothing of it is left on the disk of the process that stays: %s',
    async (_, script, failures) => {
      const given = await create({ ...script, prompts: [[{ do: 'say', chunks: ['ONE'] }]] });
      await startAs('gemini-2.5-flash', given);
      const processes = given.processes();
      const directory = given.project;
      const found = [
        (await given.ask({ history })).failure,
        (await given.ask({ history, directory })).failure,
        (await given.ask({ directory })).failure,
      ];
      expect(found).toEqual(failures);
      expect(await leavings(given)).toEqual([]);
      expect(given.processes()).toEqual(processes);
    },
  );

  it('nothing is left of a conversation that was kept, where its model is refused', async () => {
    const given = await create({ modelChanges: [[refused]], prompts: [[{ do: 'say', chunks: ['ONE'] }]] });
    const directory = given.project;
    await given.ask({ input: 'one', directory, mayContinue: true });
    expect(await leavings(given)).not.toEqual([]);
    expect(await given.ask({ model: 'gemini-2.5-flash', history, directory })).toMatchObject({ failure: 'unknown' });
    expect(await leavings(given)).toEqual([]);
  });
});

describe('a copy that is not made to its end', () => {
  it.each([
    ['cancelled', (controller: AbortController) => controller.abort()],
    ['timeout', (_: AbortController, clock: LeapingClock) => clock.leap(60_000)],
  ] as const)('is gone: %s', async (failure, interrupt) => {
    const controller = new AbortController();
    const clock = new InterruptingClock();
    const given = await create({}, { clock });
    clock.interruptOnce = () => {
      if (!holdsCopy(dirname(given.project))) {
        return false;
      }
      interrupt(controller, clock);
      return true;
    };
    const { signal } = controller;
    expect(await given.ask({ directory: given.project, signal })).toMatchObject({ failure });
    expect(clock.interruptOnce).toBeNull();
    expect(await leavings(given)).toEqual([]);
    expect(given.processes()).toHaveLength(1);
    expect((await given.ask({ directory: given.project })).failure).toBeNull();
  });
});

it('a session that is opened only after the end of its call goes when it comes', async () => {
  const steps: readonly AcpStep[] = [
    { do: 'touch', file: 'opening' },
    { do: 'await-file', file: 'go' },
  ];
  const given = await create({ loadedSessions: [steps, []] });
  const controller = new AbortController();
  const { signal } = controller;
  const asked = given.ask({ history, signal });
  await whenFileExists(given.directory, 'opening');
  controller.abort();
  expect(await asked).toMatchObject({ failure: 'cancelled' });
  await writeFile(join(given.directory, 'go'), '');
  // Sessions are opened one after the other: after this one, the late one has come.
  expect((await given.ask({ history })).failure).toBeNull();
  await expect.poll(() => leavings(given)).toEqual([]);
});

function holdsCopy(root: string): boolean {
  const runs = join(root, 'runs');
  const processes = existsSync(runs) ? readdirSync(runs) : [];
  return processes.some((name) => {
    const directories = join(runs, name, 'directories');
    return existsSync(directories) && readdirSync(directories).length > 0;
  });
}

/** Does something in the middle of what asks it for the time, and takes long over it. */
class InterruptingClock extends LeapingClock {
  /** Returns whether it has; asked no more then. */
  interruptOnce: (() => boolean) | null = null;

  override now(): number {
    const interrupt = this.interruptOnce;
    this.interruptOnce = null;
    if (interrupt !== null && !interrupt()) {
      this.interruptOnce = interrupt;
    } else if (interrupt !== null) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
    return super.now();
  }
}
