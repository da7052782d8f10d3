import { type CallDirectory, plainRunSettings, type RunEvent, type RunRequest } from '@gemini-mcp/core';
import { expect } from 'vitest';
import type { Proof } from '../proof.ts';
import { collectEvents, failureOf } from '../runner-places/collect-events.ts';
import type { GeminiRunnerHarness, GeminiRunnerSubject, Situation } from './gemini-runner-harness.ts';

const answer: Situation = { type: 'answer', chunks: ['ok'] };

/** The promises for runs with all tools that work in a directory, and for the roots of their requests. */
export function describeGeminiRunnerDirectories({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('works in a directory below a root of the request', async () => {
    const harness = await open(answer);
    const { outer, inner, other } = directoriesOf(proof, harness);
    const events = await collectEvents(harness, workingIn(inner, { roots: [other, outer] }));
    expect(failureOf(events)).toBeNull();
    expect(noticesIn(events)).toEqual([]);
    expect(harness.carried?.().map(({ whole }) => whole.includes(inner)) ?? [true]).toEqual([true]);
    expect(await harness.leftovers()).toEqual([]);
  });

  proof.promise('refuses any other directory before sending anything', async () => {
    const harness = await open(answer);
    const { outer, inner, other, forbidden } = directoriesOf(proof, harness);
    const refused: readonly (readonly [string, Partial<CallDirectory>])[] = [
      [outer, { roots: [] }],
      [outer, { roots: [inner, other] }],
      [other, { roots: [outer] }],
      [forbidden, {}],
      [forbidden, { roots: [forbidden] }],
    ];
    for (const [path, given] of refused) {
      const events = await collectEvents(harness, workingIn(path, given));
      expect(failureOf(events)).toMatchObject({ kind: 'directory-refused' });
    }
    expect(harness.received()).toEqual([]);
  });

  proof.promise('goes on without an optional directory, and reports it, also the second time', async () => {
    const harness = await open(answer);
    const { outer, inner, other, forbidden } = directoriesOf(proof, harness);
    await collectEvents(harness, { input: 'One', ...workingIn(outer, {}), mayContinue: true });
    const history = [
      { role: 'user', text: 'One' },
      { role: 'model', text: 'ok' },
    ] as const;
    const lost: readonly (readonly [string, Partial<CallDirectory>])[] = [
      [outer, { roots: [inner, other] }],
      [forbidden, {}],
    ];
    for (const [path, given] of lost) {
      const events = await collectEvents(harness, {
        input: 'Two',
        ...workingIn(path, { ...given, isOptional: true }),
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
  return directories === undefined || !runner.capabilities.tools.includes('everything')
    ? proof.skip('works in no directory')
    : directories;
}

function workingIn(path: string, given: Partial<CallDirectory>): Pick<RunRequest, 'settings' | 'directory'> {
  return {
    settings: { ...plainRunSettings, tools: 'everything' },
    directory: { path, isOptional: false, ...given },
  };
}

function noticesIn(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.filter(({ type }) => type === 'notice');
}
