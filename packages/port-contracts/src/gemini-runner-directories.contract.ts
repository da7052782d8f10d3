import { plainRunSettings, type RunEvent, type RunSettings } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { collectEvents, failureOf } from './collect-events.ts';
import type { GeminiRunnerHarness, GeminiRunnerSubject, Situation } from './gemini-runner-harness.ts';
import type { Proof } from './proof.ts';

const answer: Situation = { type: 'answer', chunks: ['ok'] };

/** What a runner that gives directories owes to requests that bring roots of their own. */
export function describeGeminiRunnerDirectories({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('gives a directory where it lies below a root of the request', async () => {
    const harness = await open(answer);
    const { outer, inner, other } = directoriesOf(proof, harness);
    const events = await collectEvents(harness, { settings: seeing(inner, { roots: [other, outer] }) });
    expect(failureOf(events)).toBeNull();
    expect(noticesIn(events)).toEqual([]);
    expect(harness.carried?.().map(({ whole }) => whole.includes(inner)) ?? [true]).toEqual([true]);
    expect(await harness.leftovers()).toEqual([]);
  });

  proof.promise('refuses any other, before anything is sent', async () => {
    const harness = await open(answer);
    const { outer, inner, other, forbidden } = directoriesOf(proof, harness);
    const refused: readonly (readonly [string, Partial<RunSettings>])[] = [
      [outer, { roots: [] }],
      [outer, { roots: [inner, other] }],
      [other, { roots: [outer] }],
      [forbidden, {}],
      [forbidden, { roots: [forbidden] }],
    ];
    for (const [directory, settings] of refused) {
      const events = await collectEvents(harness, { settings: seeing(directory, settings) });
      expect(failureOf(events)).toMatchObject({ kind: 'directory-refused' });
    }
    expect(harness.received()).toEqual([]);
  });

  proof.promise('goes on without one that is optional, and says so, also where it has seen it before', async () => {
    const harness = await open(answer);
    const { outer, inner, other, forbidden } = directoriesOf(proof, harness);
    await collectEvents(harness, { input: 'One', settings: seeing(outer, {}), mayContinue: true });
    const history = [
      { role: 'user', text: 'One' },
      { role: 'model', text: 'ok' },
    ] as const;
    const lost: readonly (readonly [string, Partial<RunSettings>])[] = [
      [outer, { roots: [inner, other] }],
      [forbidden, {}],
    ];
    for (const [directory, settings] of lost) {
      const events = await collectEvents(harness, {
        input: 'Two',
        settings: seeing(directory, { ...settings, directoryIsOptional: true }),
        ...(harness.runner.capabilities.resume && { history }),
      });
      expect(failureOf(events)).toBeNull();
      expect(noticesIn(events)).toHaveLength(1);
    }
    const seen = harness
      .carried?.()
      .map(({ whole }) => [outer, forbidden].map((directory) => whole.includes(directory)));
    const none = [false, false];
    expect(seen ?? [[true, false], none, none], 'which directories reached the model').toEqual([
      [true, false],
      none,
      none,
    ]);
  });
}

type Directories = NonNullable<GeminiRunnerHarness['directories']>;

function directoriesOf(proof: Proof, { directories, runner }: GeminiRunnerHarness): Directories {
  return directories === undefined || !runner.capabilities.tools.includes('read-only')
    ? proof.skip('gives no directory')
    : directories;
}

function seeing(directory: string, settings: Partial<RunSettings>): RunSettings {
  return { ...plainRunSettings, tools: 'read-only', directory, ...settings };
}

function noticesIn(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.filter(({ type }) => type === 'notice');
}
