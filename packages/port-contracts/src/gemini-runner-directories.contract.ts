import { plainRunSettings, type RunEvent, type RunSettings } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { collectEvents, failureOf } from './collect-events.ts';
import type { GeminiRunnerSubject, Situation } from './gemini-runner-harness.ts';

const answer: Situation = { type: 'answer', chunks: ['ok'] };

/** What a runner that gives directories owes to requests that bring roots of their own. */
export function describeGeminiRunnerDirectories({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('gives a directory where it lies below a root of the request', async () => {
    const harness = await open(answer);
    const { directories, runner, carried } = harness;
    if (directories === undefined || !runner.capabilities.tools.includes('read-only')) {
      return proof.skip('gives no directory');
    }
    const { outer, inner, other } = directories;
    const events = await collectEvents(harness, { settings: seeing(inner, { roots: [other, outer] }) });
    expect(failureOf(events)).toBeNull();
    expect(noticesIn(events)).toEqual([]);
    expect(carried?.().map(({ whole }) => whole.includes(inner)) ?? [true]).toEqual([true]);
    expect(await harness.leftovers()).toEqual([]);
  });

  proof.promise('gives no other, be it named, left to the runner, or seen earlier in a conversation', async () => {
    const harness = await open(answer);
    const { directories, runner, carried } = harness;
    if (directories === undefined || !runner.capabilities.tools.includes('read-only')) {
      return proof.skip('gives no directory');
    }
    const { outer, inner, other } = directories;
    for (const roots of [[], [inner, other]]) {
      const events = await collectEvents(harness, { settings: seeing(outer, { roots }) });
      expect(failureOf(events)).toMatchObject({ kind: 'directory-refused' });
    }
    expect(harness.received()).toEqual([]);
    await collectEvents(harness, { input: 'One', settings: seeing(outer, {}), mayContinue: true });
    const history = [
      { role: 'user', text: 'One' },
      { role: 'model', text: 'ok' },
    ] as const;
    const settings = seeing(outer, { roots: [inner, other], directoryIsOptional: true });
    const events = await collectEvents(harness, {
      input: 'Two',
      settings,
      ...(runner.capabilities.resume && { history }),
    });
    expect(failureOf(events)).toBeNull();
    expect(noticesIn(events)).toHaveLength(1);
    expect(carried?.().map(({ whole }) => whole.includes(outer)) ?? [true, false]).toEqual([true, false]);
  });
}

function seeing(directory: string, settings: Partial<RunSettings>): RunSettings {
  return { ...plainRunSettings, tools: 'read-only', directory, ...settings };
}

function noticesIn(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.filter(({ type }) => type === 'notice');
}
