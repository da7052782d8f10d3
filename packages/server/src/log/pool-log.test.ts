import type { PoolEndReason, PoolReport } from '@gemini-mcp/adapters-node';
import { describe, expect, it } from 'vitest';
import { createEarlyLog } from './early-log.ts';
import { createPoolLog } from './event-logs.ts';

function logged(report: PoolReport): Record<string, unknown> {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const redact = (text: string): string => text.replaceAll('canary', '[redacted]');
  createPoolLog(createEarlyLog({ level: 'debug', redact, stream }))(report);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines.join(''));
}

const endedBy = (reason: PoolEndReason, detail = ''): PoolReport => ({
  type: 'ended',
  processId: 'p1',
  reason,
  detail,
  sessions: 40,
  lifetimeMs: 90_000,
});

describe('createPoolLog', () => {
  it('logs a start and its end at debug', () => {
    const time = expect.any(String);
    expect(logged({ type: 'started', processId: 'p1' })).toEqual({
      level: 'debug',
      time,
      event: 'warm-started',
      processId: 'p1',
    });
    expect(logged({ type: 'ready', processId: 'p1', afterMs: 1_340 })).toEqual({
      level: 'debug',
      time,
      event: 'warm-ready',
      processId: 'p1',
      afterMs: 1_340,
    });
  });

  it.each<[PoolEndReason, string]>([
    ['sessions', 'debug'],
    ['idle', 'debug'],
    ['alone', 'debug'],
    ['evicted', 'debug'],
    ['closed', 'debug'],
    ['memory', 'info'],
    ['fault', 'warn'],
    ['crashed', 'warn'],
    ['start-failed', 'warn'],
  ])('logs an end for %s at %s, with the work of the process', (reason, level) => {
    expect(logged(endedBy(reason))).toEqual({
      level,
      time: expect.any(String),
      event: 'warm-ended',
      processId: 'p1',
      reason,
      detail: '',
      sessions: 40,
      lifetimeMs: 90_000,
    });
  });

  it('logs a call that moves to another process', () => {
    expect(logged({ type: 'retried', processId: 'p1', detail: 'the process ended' })).toMatchObject({
      level: 'info',
      event: 'warm-retried',
      detail: 'the process ended',
    });
  });

  it('shows of what a process said no secret, and no more than a line holds', () => {
    const { detail } = logged(endedBy('crashed', `canary ${'x'.repeat(10_000)}`));
    expect(detail).toMatch(/^\[redacted\] x{100}/);
    expect(String(detail).length).toBeLessThan(5_000);
  });
});
