import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AcpProcessScript, type AcpStep, whenFileExists } from '@gemini-mcp/fake-gemini';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakeWarmPlace, type FakeWarmPlace, type FakeWarmPlaceOptions } from './testing/fake-warm-place.ts';

const history = [
  { role: 'user', text: 'one' },
  { role: 'model', text: 'ONE' },
] as const;

const refused: AcpStep = { do: 'error', code: -32603, message: 'No' };

let place: FakeWarmPlace | undefined;

/** With a process that stays. */
async function create(script: AcpProcessScript, options: FakeWarmPlaceOptions = {}): Promise<FakeWarmPlace> {
  place = await createFakeWarmPlace({ processes: [script], ...options });
  return place;
}

afterEach(async () => {
  const left = await place?.dispose();
  place = undefined;
  expect(left).toEqual([]);
});

/** Histories of sessions. */
async function leavings(given: FakeWarmPlace): Promise<readonly string[]> {
  return (await given.files()).filter((name) => name.endsWith('.jsonl'));
}

describe('if no session starts', () => {
  it.each([
    ['a model is refused', { modelChanges: [[refused]] }, ['unknown', 'unknown']],
    ['a history is refused', { loadedSessions: [[refused]] }, ['unknown', null]],
    ['a session is refused', { newSessions: [[], [refused]] }, [null, 'unknown']],
  ] satisfies readonly (readonly [string, AcpProcessScript, readonly (string | null)[]])[])(
    'nothing of it is left on the disk of the process that stays: %s',
    async (_, script, failures) => {
      const given = await create({ ...script, prompts: [[{ do: 'say', chunks: ['ONE'] }]] });
      // A second model, so that the session of a process must change its own.
      expect((await given.ask({ model: 'gemini-2.5-flash' })).failure).toBeNull();
      const processes = given.processes();
      expect([(await given.ask({ history })).failure, (await given.ask()).failure]).toEqual(failures);
      expect(await leavings(given)).toEqual([]);
      expect(given.processes()).toEqual(processes);
    },
  );

  it('nothing is left of a conversation that was kept, where its model is refused', async () => {
    const given = await create({ modelChanges: [[refused]], prompts: [[{ do: 'say', chunks: ['ONE'] }]] });
    await given.ask({ input: 'two', history, mayContinue: true });
    expect(await leavings(given)).toHaveLength(1);
    const said = [...history, { role: 'user', text: 'two' }, { role: 'model', text: 'ONE' }] as const;
    expect(await given.ask({ model: 'gemini-2.5-flash', history: said })).toMatchObject({ failure: 'unknown' });
    expect(await leavings(given)).toEqual([]);
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
