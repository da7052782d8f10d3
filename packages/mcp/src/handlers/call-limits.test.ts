import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { CallLimits, PatienceWatch, readStatedLimit } from './call-limits.ts';

const unstated = { statedMs: null };

describe('CallLimits', () => {
  it.each([
    ['claude-code', 110_000],
    ['Claude-Code', 110_000],
    ['claude-ai', 54_000],
    ['codex-mcp-client', 290_000],
    ['gemini-cli-mcp-client', 590_000],
    ['qwen-cli-mcp-client-gemini', 590_000],
    ['github-copilot-developer', 170_000],
    ['antigravity-client', 170_000],
    ['Cline', 54_000],
    ['@cline/core', 54_000],
    ['continue-cli-client', 54_000],
    ['Zed', 54_000],
    ['claude-codex', null],
    ['codex-of-somebody', null],
    ['opencode', null],
    ['Visual Studio Code', null],
    [null, null],
  ])('a call of %s returns after %s ms at the latest', (clientName, afterMs) => {
    expect(new CallLimits(null).returnAfterMs({ ...unstated, clientName })).toBe(afterMs);
  });

  it.each([
    [1, 0.5],
    [1_000, 500],
    [2_000, 1_000],
    [5_000, 4_000],
    [30_000, 27_000],
    [3_600_000, 3_590_000],
    [0, null],
  ])('of a limit of %i ms leaves time for the result: %s ms', (limitMs, afterMs) => {
    expect(new CallLimits(limitMs).returnAfterMs({ ...unstated, clientName: 'claude-code' })).toBe(afterMs);
    const stated = { statedMs: limitMs, clientName: 'claude-code' };
    expect(new CallLimits(7_000).returnAfterMs(stated)).toBe(afterMs);
  });

  it('learns the limit of a client that gives up before it is known to, but not from a short timeout', () => {
    const limits = new CallLimits(null);
    limits.noteTimeout(19_999);
    expect(limits.returnAfterMs({ ...unstated, clientName: 'somebody' })).toBeNull();
    limits.noteTimeout(90_000);
    limits.noteTimeout(120_000);
    expect(limits.returnAfterMs({ ...unstated, clientName: 'somebody' })).toBe(81_000);
    expect(limits.returnAfterMs({ ...unstated, clientName: 'codex-mcp-client' })).toBe(81_000);
  });

  it('believes the operator rather than a timeout', () => {
    const limits = new CallLimits(300_000);
    limits.noteTimeout(90_000);
    expect(limits.returnAfterMs({ ...unstated, clientName: 'somebody' })).toBe(290_000);
  });
});

describe('the patience with a call', () => {
  const setUp = (): { clock: FakeClock; watch: PatienceWatch } => {
    const clock = new FakeClock();
    const limit = { startedAtMs: clock.now(), returnAfterMs: 50_000, onTimeout: () => undefined };
    return { clock, watch: new PatienceWatch(limit, clock, new AbortController().signal) };
  };

  it('does not run while a question has ended the request, and starts again with the request that brings the answer', async () => {
    const { clock, watch } = setUp();
    const { nearsEnd } = watch.patience;
    await clock.advance(49_999);
    let answer = (_: string): void => undefined;
    const asked = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const suspended = watch.suspendFor(() => asked);
    await clock.advance(200_000);
    expect([nearsEnd.aborted, clock.sleeping]).toEqual([false, 0]);
    answer('yes');
    expect(await suspended).toBe('yes');
    await clock.advance(49_999);
    expect(nearsEnd.aborted).toBe(false);
    await clock.advance(1);
    expect(nearsEnd.aborted).toBe(true);
  });

  it('leaves no timer when the call is over', () => {
    const { clock, watch } = setUp();
    expect(clock.sleeping).toBe(1);
    watch.end();
    expect(clock.sleeping).toBe(0);
  });
});

describe('the limit that a request states', () => {
  const stating = (limit: unknown): unknown => ({ _meta: { 'gemini-mcp-server/callLimitMs': limit } });

  it.each([
    [undefined, null],
    [{}, null],
    [{ _meta: {} }, null],
    [{ _meta: 'none' }, null],
    [stating(45_000), 45_000],
    [stating(0), 0],
  ])('is read from %j as %s', (params, expected) => {
    expect(readStatedLimit(params)).toBe(expected);
  });

  it.each([['60000'], [-1], [1.5], [86_400_001], [null], [Number.NaN]])('refuses %s', (limit) => {
    expect(() => readStatedLimit(stating(limit))).toThrow(
      'Invalid parameters: _meta["gemini-mcp-server/callLimitMs"] must be whole milliseconds up to 86400000',
    );
  });
});
