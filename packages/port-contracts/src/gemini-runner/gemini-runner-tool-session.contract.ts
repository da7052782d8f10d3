import { type ModelTool, plainRunSettings, type RunEvent, type ToolCall, type ToolResult } from '@gemini-mcp/core';
import { ScriptedToolProvider } from '@gemini-mcp/core/testing';
import { expect } from 'vitest';
import { createMoment } from '../create-moment.ts';
import { expectSameText } from '../expect-same-text.ts';
import { hostileText } from '../hostile-text.ts';
import { collectEvents, failureOf, textOf } from '../runner-places/collect-events.ts';
import type {
  GeminiRunnerHarness,
  GeminiRunnerSubject,
  ModelCall,
  Situation,
  ToolSessionHooks,
} from './gemini-runner-harness.ts';

type ToolSession = { readonly harness: GeminiRunnerHarness; readonly toolSession: ToolSessionHooks };

/** The promises for model tools. */
export function describeGeminiRunnerToolSession({ proof, open }: GeminiRunnerSubject): void {
  const openToolSession = async (situation: Situation): Promise<ToolSession> => {
    const harness = await open(situation);
    if (harness.runner.capabilities.offersTools !== true) {
      return proof.skip('lends no tools');
    }
    return { harness, toolSession: harness.toolSession ?? proof.skip('what reaches the model is not seen here') };
  };

  proof.promise('offers the model the tools of all providers of the request, and no others', async () => {
    const { harness, toolSession } = await openToolSession(answering([]));
    const one = new ScriptedToolProvider({ tools: [tool('look_b'), tool('look_a')] });
    const other = new ScriptedToolProvider({ tools: [tool('put_c', true)] });
    expect(failureOf(await collectEvents(harness, { toolProviders: [one, other] }))).toBeNull();
    expect(failureOf(await collectEvents(harness, { toolProviders: [] }))).toBeNull();
    expect(toolSession.offered()[0]).toEqual(['look_b', 'look_a', 'put_c']);
    expect(toolSession.offered().slice(1).flat()).toEqual([]);
  });

  proof.promise('executes each call once, with its arguments unchanged, and returns its whole result', async () => {
    const args = { text: hostileText, deep: [{ a: [1, null, true, ''] }], 'odd name': 0.5 };
    const long = `Read: ${hostileText.repeat(400)}`;
    const { harness, toolSession } = await openToolSession(
      answering([[made('look', args)], [made('put', { n: 1 }), made('look', {})]]),
    );
    const source = sourceOf((call) => (call.name === 'put' ? done('Put it.') : done(long)));
    const events = await collectEvents(harness, { toolProviders: [source] });
    expect(failureOf(events)).toBeNull();
    expect(textOf(events)).toBe('ok');
    expect(source.calls.map(({ name, arguments: given }) => [name, given])).toEqual([
      ['look', args],
      ['put', { n: 1 }],
      ['look', {}],
    ]);
    const [first, second] = toolSession.results();
    expect(toolSession.results().map(({ length }) => length)).toEqual([1, 2]);
    expectSameText(first?.[0], long);
    expect(second?.[0]).toBe('Put it.');
    expectSameText(second?.[1], long);
    expect(await harness.leftovers()).toEqual([]);
  });

  proof.promise("executes calls that may change something one at a time, in the model's order", async () => {
    const numbers = [0, 1, 2, 3];
    const { harness } = await openToolSession(answering([numbers.map((n) => made('put', { n }))]));
    const steps: string[] = [];
    const source = sourceOf(async ({ arguments: { n } }) => {
      steps.push(`${n} begins`);
      // As many turns of the loop as immediate calls would need to begin.
      for (let turn = 0; turn < 20; turn += 1) {
        await Promise.resolve();
      }
      steps.push(`${n} ends`);
      return done('Put it.');
    });
    expect(failureOf(await collectEvents(harness, { toolProviders: [source] }))).toBeNull();
    expect(steps).toEqual(numbers.flatMap((n) => [`${n} begins`, `${n} ends`]));
  });

  proof.promise('reports a missing or failed tool to the model, and goes on', async () => {
    const { harness, toolSession } = await openToolSession(answering([[made('absent', {}), made('look', {})]]));
    const source = sourceOf(() => {
      throw new Error('a secret of the tool');
    });
    expect(failureOf(await collectEvents(harness, { toolProviders: [source] }))).toBeNull();
    expect(source.calls.map(({ name }) => name)).toEqual(['look']);
    const [told = []] = toolSession.results();
    // The backend decides the name of a missing tool.
    expect(told[0]).toMatch(/no such tool|not found/i);
    expect(told[1]).toMatch(/^Refused: /);
    expect(told.join('\n')).not.toContain('a secret of the tool');
  });

  proof.promise('reports the start and the end of each call', async () => {
    const { harness } = await openToolSession(answering([[made('look', {})], [made('put', {})]]));
    const source = sourceOf(({ name }) =>
      name === 'put' ? { ...done('Refused: no.'), isDone: false } : done('Seen.'),
    );
    const events = await collectEvents(harness, { toolProviders: [source] });
    expect(events.flatMap(toolStep)).toEqual(['look started', 'look succeeded', 'put started', 'put failed']);
  });

  proof.promise("an abort ends the run's call, and no other begins", async () => {
    await expectCallEnded(await openToolSession(holding), 'cancelled');
  });

  proof.promise("the deadline ends the run's call, and no other begins", async () => {
    await expectCallEnded(await openToolSession(holding), 'timeout');
  });
}

const answering = (rounds: readonly (readonly ModelCall[])[]): Situation => ({ type: 'calls', rounds, chunks: ['ok'] });

const holding = answering([[made('put', {}), made('put', {})], [made('look', {})]]);

async function expectCallEnded({ harness }: ToolSession, ended: 'cancelled' | 'timeout'): Promise<void> {
  const over = new AbortController();
  const [begun, signalled] = [createMoment(), createMoment()];
  const source = sourceOf(async (_, signal) => {
    signal.addEventListener('abort', () => signalled.come(), { once: true });
    begun.come();
    await signalled.came;
    return done('Too late.');
  });
  const run = collectEvents(
    harness,
    { toolProviders: [source], deadlineAtMs: harness.now() + 100_000, settings: plainRunSettings },
    over.signal,
  );
  await begun.came;
  if (ended === 'cancelled') {
    over.abort();
  } else {
    await harness.pass(100_001);
  }
  expect(failureOf(await run)?.kind).toBe(ended);
  await signalled.came;
  expect(source.calls).toHaveLength(1);
  expect(await harness.leftovers()).toEqual([]);
}

function toolStep(event: RunEvent): readonly string[] {
  return event.type === 'tool' ? [`${event.name} ${event.phase}`] : [];
}

function sourceOf(
  answer: (call: ToolCall, signal: AbortSignal) => ToolResult | Promise<ToolResult>,
): ScriptedToolProvider {
  return new ScriptedToolProvider({ tools: [tool('look'), tool('put', true)], answer });
}

function tool(name: string, changes = false): ModelTool {
  const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } };
  return { name, description: `Does ${name}.`, inputSchema, changes };
}

function made(name: string, args: ModelCall['arguments']): ModelCall {
  return { name, arguments: args };
}

function done(text: string): ToolResult {
  return { text, data: {}, isDone: true };
}
