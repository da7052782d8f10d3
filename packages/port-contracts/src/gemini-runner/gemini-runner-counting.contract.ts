import { type GeminiRunner, plainRunSettings, type RunRequest, type TokenCount } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { hostileText } from '../hostile-text.ts';
import { listenersLeft } from '../listeners-left.ts';
import type { Proof } from '../proof.ts';
import { collectEvents, requestOf } from '../runner-places/collect-events.ts';
import type { CountingHooks, GeminiRunnerHarness, GeminiRunnerSubject } from './gemini-runner-harness.ts';
import { manyRuns } from './gemini-runner-harness.ts';

const callKey = 'AIzaContract-key_of_a_count_000000000000';
const maxExcerptCharacters = 500;
const timeoutMs = 200_000;

type Counter = {
  readonly hooks: CountingHooks;
  readonly count: (fields?: Partial<RunRequest>, signal?: AbortSignal) => Promise<TokenCount>;
};

/** The promises of a runner that counts tokens. */
export function describeGeminiRunnerCounting({ proof, open }: GeminiRunnerSubject): void {
  proof.promise(
    'counts as many tokens as a run of the same request takes in, including conversation, system prompt and media',
    async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      const { count } = counterOf(harness, proof);
      for (const fields of listRequests(harness)) {
        const counted = await count(fields);
        expect(harness.runner.capabilities.usage ? counted : null).toEqual(await countByRun(harness, fields));
      }
    },
    manyRuns,
  );

  proof.promise("counts the run's request without asking the model", async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    const { count, hooks } = counterOf(harness, proof);
    const requests = listRequests(harness);
    for (const fields of requests) {
      expect(await count(fields)).toEqual({ ok: true, tokens: expect.any(Number) });
    }
    expect(harness.received(), 'messages that reached the model').toEqual([]);
    for (const fields of requests) {
      await collectEvents(harness, fields);
    }
    const carried = harness.carried?.() ?? [];
    expect(hooks.carried().map(withoutWhole)).toEqual(carried.map(withoutWhole));
    expect(await harness.leftovers()).toEqual([]);
  });

  proof.promise('refuses to count a request that it refuses to run, before sending anything', async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    const { count, hooks } = counterOf(harness, proof);
    const unknown = { path: 'a', mediaType: 'application/x-never-carried', bytes: Uint8Array.of(1) };
    const { maxInputCharacters } = harness.runner.capabilities;
    expect(await count({ media: [unknown] })).toEqual({
      ok: false,
      failure: { kind: 'unsupported', feature: 'media' },
    });
    expect(await count({ input: 'x'.repeat(maxInputCharacters + 1) })).toMatchObject({
      ok: false,
      failure: { kind: 'context-too-large' },
    });
    expect(hooks.carried()).toEqual([]);
  });

  proof.promise('ends a count at the deadline, and soon after an abort', async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    const { count, hooks } = counterOf(harness, proof);
    const [cancelled, timeout] = [failed({ kind: 'cancelled' }), failed({ kind: 'timeout' })];
    expect(await count({}, AbortSignal.abort())).toEqual(cancelled);
    expect(await count({ deadlineAtMs: harness.now() })).toEqual(timeout);
    expect(hooks.carried(), 'requests sent after its end').toEqual([]);
    hooks.arrange({ type: 'hang' });
    const controller = new AbortController();
    const aborted = count({}, controller.signal);
    await hooks.whenReceived(1);
    controller.abort();
    expect(await aborted).toEqual(cancelled);
    const late = new AbortController();
    const waiting = count({ deadlineAtMs: harness.now() + timeoutMs }, late.signal);
    await hooks.whenReceived(2);
    await harness.pass(timeoutMs);
    expect(await waiting).toEqual(timeout);
    expect(
      [controller, late].map(({ signal }) => listenersLeft(signal)),
      'remaining listeners',
    ).toEqual([0, 0]);
    expect(await harness.leftovers()).toEqual([]);
  });

  proof.promise('reports a failed count with an excerpt without the key of the call, and never rejects', async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    const { count, hooks } = counterOf(harness, proof);
    const { keyOfCall } = harness.runner.capabilities;
    const settings = { ...plainRunSettings, apiKey: keyOfCall ? callKey : null };
    for (const [httpStatus, kind] of [
      [403, 'authentication'],
      [404, 'model-not-found'],
      [503, 'overloaded'],
    ] as const) {
      const message = `Not with ${callKey}. ${'It went wrong. '.repeat(100)}`;
      hooks.arrange({ type: 'failure', httpStatus, message });
      const counted = await count({ settings });
      expect(counted).toMatchObject(failed({ kind, excerpt: expect.stringContaining('Not with ') }));
      expect(keyOfCall ? JSON.stringify(counted) : '', 'the key of the call').not.toContain(callKey);
      expect(JSON.stringify(counted).length).toBeLessThan(2 * maxExcerptCharacters);
    }
    hooks.arrange({ type: 'count' });
    expect(await count()).toMatchObject({ ok: true });
    expect(harness.received()).toEqual([]);
  });
}

function counterOf(harness: GeminiRunnerHarness, proof: Proof): Counter {
  const { runner, counting } = harness;
  if (runner.capabilities.tokenCount !== true || counting === undefined) {
    return proof.skip('counts no tokens');
  }
  const count: Counter['count'] = async (fields = {}, signal = new AbortController().signal) =>
    countBy(runner, requestOf(harness, fields), signal);
  return { hooks: counting, count };
}

function countBy(runner: GeminiRunner, request: RunRequest, signal: AbortSignal): Promise<TokenCount> {
  if (runner.countTokens === undefined) {
    throw new Error('The runner declares tokenCount and has no countTokens.');
  }
  return runner.countTokens(request, signal);
}

/** Equal but for one part each, so that an uncounted part shows. */
function listRequests({ runner: { capabilities } }: GeminiRunnerHarness): readonly Partial<RunRequest>[] {
  const { resume, systemPrompt, mediaTypes, keyOfCall } = capabilities;
  const [mediaType] = mediaTypes;
  const media = mediaType === undefined ? [] : [{ path: 'a', mediaType, bytes: new Uint8Array(900).fill(7) }];
  const history = [
    { role: 'user', text: `What is this? ${hostileText}` },
    { role: 'model', text: '日本語です。'.repeat(50) },
  ] as const;
  return [
    { input: hostileText },
    { input: 'x'.repeat(4_000), model: 'gemini-2.5-flash' },
    ...(resume ? [{ input: 'And?', history }] : []),
    ...(systemPrompt ? [{ settings: { ...plainRunSettings, systemPrompt: 'Be terse. '.repeat(40) } }] : []),
    ...(media.length > 0 ? [{ input: 'Who?', media }] : []),
    ...(keyOfCall ? [{ settings: { ...plainRunSettings, apiKey: callKey } }] : []),
  ];
}

/** As a count; null if the runner reports no usage. */
async function countByRun(harness: GeminiRunnerHarness, fields: Partial<RunRequest>): Promise<TokenCount | null> {
  const events = await collectEvents(harness, fields);
  const [usage] = events.flatMap((event) => (event.type === 'usage' ? event.models : []));
  return usage === undefined ? null : { ok: true, tokens: usage.inputTokens };
}

function withoutWhole<Carried extends { readonly whole: string }>({
  whole: _,
  ...rest
}: Carried): Omit<Carried, 'whole'> {
  return rest;
}

function failed<Failure extends object>(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure };
}
