import { type AcpStep, acpEcho, acpLoginRequired, giveAcpSteps, whenAcpRecorded } from '@gemini-mcp/fake-gemini';
import { afterEach, describe, expect, it } from 'vitest';
import { apiKey, createFakeWarmPlace, type FakeWarmPlace } from './testing/fake-warm-place.ts';

/** Long enough that a healthy fake is never taken for a hanging one. */
const limits = { silenceMs: 100, answerMs: 1_500, sessionTimeoutMs: 1_500, startTimeoutMs: 3_000 };

const beginning: AcpStep = { do: 'say', chunks: ['The beginning'] };

let place: FakeWarmPlace | undefined;

/** A first process whose first prompt plays these steps; all that follows goes as with the real CLI. */
async function play(...steps: readonly AcpStep[]): Promise<FakeWarmPlace> {
  place = await createFakeWarmPlace({ processes: [{ prompts: [steps, [{ do: 'echo' }]] }, {}], limits });
  return place;
}

afterEach(async () => {
  const left = await place?.dispose();
  place = undefined;
  expect(left).toEqual([]);
});

describe('a hostile session mode', () => {
  it.each<[string, readonly AcpStep[]]>([
    ['to a cancel', [{ do: 'ignore-cancel' }, { do: 'hang' }]],
    ['to signals too', [{ do: 'ignore-signals' }, { do: 'ignore-cancel' }, { do: 'hang' }]],
  ])('CLI-01: that hangs and is deaf %s is ended at the deadline, and what it has said is kept', async (_, steps) => {
    const { ask, clock, endReasons } = await play({ do: 'ignore-signals' }, beginning, ...steps);
    const asked = await ask({
      timeoutMs: 20_000,
      onEvent: (event) => event.type === 'text' && clock.leap(20_000),
    });
    expect(asked).toMatchObject({ failure: 'timeout', text: 'The beginning' });
    expect(endReasons()).toEqual(['fault']);
    expect(place?.processes()).toEqual([]);
    expect(await ask({ input: 'Next' })).toMatchObject({ failure: null, text: acpEcho('Next') });
  });

  it('CLI-04: leaves no grandchild, be it in a session of its own and deaf', async () => {
    const { ask, processes, runner } = await play(
      { do: 'spawn' },
      { do: 'spawn', isDetached: true, ignoresSignals: true },
      { do: 'spawn', isDetached: true, holdsOutput: true },
      { do: 'echo' },
    );
    expect(await ask()).toMatchObject({ failure: null });
    expect(processes().length).toBeGreaterThanOrEqual(4);
    await runner.close();
    expect(processes()).toEqual([]);
  });

  it.each<[string, AcpStep]>([
    ['by a signal', { do: 'kill-self', signal: 'SIGSEGV' }],
    ['with exit code 139', { do: 'exit', code: 139 }],
    ['with exit code 130', { do: 'exit', code: 130 }],
  ])('CLI-06: that crashes %s in the middle of an answer fails the call, and no other', async (_, step) => {
    const { ask } = await play(beginning, { do: 'wait', durationMs: 50 }, step);
    expect(await ask()).toMatchObject({ failure: 'crashed', text: 'The beginning' });
    expect(await ask({ input: 'Next' })).toMatchObject({ failure: null, text: acpEcho('Next') });
  });

  it.each<[string, readonly AcpStep[]]>([
    ['with 0 in the middle of an answer', [beginning, { do: 'wait', durationMs: 50 }, { do: 'exit', code: 0 }]],
    ['by an invalid answer', [beginning, { do: 'answer', result: { stopReason: 7 } }]],
    ['by garbage', [beginning, { do: 'flood', to: 'stdout', bytes: 3_000_000, pattern: 'garbage\n' }, { do: 'hang' }]],
  ])('CLI-07: that ends %s has not answered', async (_, steps) => {
    const { ask } = await play(...steps);
    const { failure, text } = await ask();
    expect(text).toBe('The beginning');
    expect(failure).not.toBeNull();
  });

  it.each<[string, readonly AcpStep[]]>([
    ['nothing', []],
    ['blanks', [{ do: 'say', chunks: [' ', '\n', ''] }]],
    [
      'thoughts',
      [{ do: 'update', update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'x' } } }],
    ],
  ])('CLI-08: that answers %s has not answered', async (_, steps) => {
    const { ask, endReasons } = await play(...steps);
    expect(await ask()).toMatchObject({ failure: 'empty-answer' });
    expect(endReasons()).toEqual([]);
  });

  it('CLI-11: that answers without end is stopped, in bounded memory', async () => {
    const text = 'x'.repeat(65_536);
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    const flood: readonly AcpStep[] = [{ do: 'update', update, times: 4_000 }, { do: 'hang' }];
    place = await createFakeWarmPlace({ processes: [{ prompts: [flood, [{ do: 'echo' }]] }] });
    const { ask } = place;
    const asked = await ask();
    expect(asked.failure).toBe('malformed-output');
    expect(asked.text.length).toBeLessThan(40_000_000);
    expect(await ask({ input: 'Next' })).toMatchObject({ failure: null, text: acpEcho('Next') });
  });

  it('CLI-11: may write anything to stderr, and none of it is shown', async () => {
    const { ask } = await play(
      { do: 'flood', to: 'stderr', bytes: 50_000_000, pattern: 'Quota exceeded 429\n' },
      { do: 'echo' },
    );
    const { failure, events } = await ask();
    expect(failure).toBeNull();
    expect(JSON.stringify(events)).not.toContain('Quota exceeded');
  });

  it('CLI-11: may write its messages byte by byte, characters in pieces', async () => {
    const text = 'é日本\u{1f600}';
    const { ask, directory } = await play({ do: 'given-steps' });
    const asking = ask();
    const [first] = await whenAcpRecorded(directory, ([process]) => (process?.prompts.length ?? 0) > 0);
    const sessionId = first?.prompts[0]?.sessionId;
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    const line = JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });
    await giveAcpSteps(directory, { processNumber: 0, promptNumber: 0 }, [
      { do: 'drip', to: 'stdout', text: `${line}\n`, intervalMs: 1 },
    ]);
    expect(await asking).toMatchObject({ failure: null, text });
  });

  it('CLI-13: is sent a message of megabytes whole, however late it reads', async () => {
    const input = 'é@/x\n'.repeat(600_000);
    place = await createFakeWarmPlace({
      processes: [{ newSessions: [[{ do: 'answer' }, { do: 'block', durationMs: 300 }]] }],
    });
    expect(await place.ask({ input })).toMatchObject({ failure: null, text: acpEcho(input) });
  });

  it.each([
    [429, 'You have exhausted your daily quota on this model.', 'quota-exhausted'],
    [429, 'Too many requests. Suggested retry after 2s.', 'rate-limited'],
    [503, '{"error":{"code":503,"message":"The model is overloaded."}}', 'overloaded'],
    [500, '{"error":{"code":500,"message":"Internal"}}', 'server-error'],
    [500, 'models/x is not found for API version v1beta', 'model-not-found'],
    [500, 'terminated', 'network'],
    [400, 'API key not valid. Please pass a valid API key.', 'authentication'],
    [403, 'Permission denied', 'authentication'],
  ])('CLI-15: that says %j %j says what headless runs say, and goes on', async (code, message, kind) => {
    const { ask, endReasons } = await play({ do: 'error', code, message });
    expect(await ask()).toMatchObject({ failure: kind });
    expect(await ask({ input: 'Next' })).toMatchObject({ failure: null });
    expect(endReasons()).toEqual([]);
  });

  it('CLI-16: that requires a login reports that it is missing', async () => {
    place = await createFakeWarmPlace({ processes: [acpLoginRequired()], limits });
    const { end } = await place.ask();
    expect(end).toMatchObject({ failure: { kind: 'authentication', problem: 'missing' } });
  });

  it('SECRET-05: that repeats the key is shown without it', async () => {
    const spelled = [apiKey, Buffer.from(apiKey).toString('base64'), encodeURIComponent(apiKey)].join(' ');
    const update = {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'update_topic__1',
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text: spelled } }],
    };
    const { ask } = await play({ do: 'update', update }, { do: 'error', code: 400, message: spelled });
    const { events } = await ask();
    const told = JSON.stringify(events);
    expect(told).toContain('[redacted]');
    expect(told).not.toMatch(/no-key-of-anybody|bm8ta2V5/);
  });
});
