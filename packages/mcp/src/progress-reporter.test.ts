import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { ProgressReporter } from './progress-reporter.ts';

type Sent = { readonly atMs: number; readonly progress: number; readonly message: string };

function start(deliver: () => Promise<void> = () => Promise.resolve()): {
  reporter: ProgressReporter;
  clock: FakeClock;
  sent: Sent[];
} {
  const clock = new FakeClock();
  const startedAtMs = clock.now();
  const sent: Sent[] = [];
  const reporter = new ProgressReporter({
    clock,
    send: (notification) => {
      sent.push({ atMs: clock.now() - startedAtMs, ...notification });
      return deliver();
    },
  });
  return { reporter, clock, sent };
}

describe('ProgressReporter', () => {
  it('tells the first news at once', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'status', message: 'Reading files' });
    await clock.advance(0);
    expect(sent).toEqual([{ atMs: 0, progress: 1, message: 'Reading files' }]);
    reporter.stop();
  });

  it('joins what comes within 250 ms: text as it runs, each status on a line of its own', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'status', message: 'one' });
    await clock.advance(1);
    reporter.report({ type: 'status', message: 'two' });
    reporter.report({ type: 'text', text: 'Hel' });
    reporter.report({ type: 'text', text: 'lo' });
    reporter.report({ type: 'status', message: 'three' });
    await clock.advance(248);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent.at(1)).toEqual({ atMs: 250, progress: 2, message: 'two\nHello\nthree' });
    reporter.stop();
  });

  it('keeps 250 ms between any two of a long stream and loses nothing of it', async () => {
    const { reporter, clock, sent } = start();
    for (let piece = 0; piece < 200; piece += 1) {
      reporter.report({ type: 'text', text: `${piece} ` });
      await clock.advance(17);
    }
    await clock.advance(250);
    reporter.stop();
    const gaps = sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
    expect(sent.length).toBeLessThanOrEqual(15);
    expect(sent.map(({ message }) => message).join('')).toBe(Array.from({ length: 200 }, (_, n) => `${n} `).join(''));
    expect(sent.map(({ progress }) => progress)).toEqual(sent.map((_, index) => index + 1));
  });

  it('keeps the end of what is too long, and no half of a character', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'text', text: `${'😀'.repeat(2_000)}end` });
    await clock.advance(0);
    expect(sent[0]?.message.length).toBeLessThanOrEqual(2_000);
    expect(sent[0]?.message).toMatch(/^…(😀)+end$/u);
    reporter.stop();
  });

  it('takes out what could play with a terminal', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'text', text: 'a\u001b[2J\u0007b\n\tc\u202ed' });
    await clock.advance(0);
    expect(sent[0]?.message).toBe('a[2Jb\n\tcd');
    reporter.stop();
  });

  it('repeats the last status at least every 10 s of silence', async () => {
    const { reporter, clock, sent } = start();
    await clock.advance(8_000);
    expect(sent).toEqual([{ atMs: 8_000, progress: 1, message: 'Working (8 s)' }]);
    reporter.report({ type: 'status', message: 'Asking gemini-x' });
    await clock.advance(60_000);
    reporter.stop();
    const times = sent.map(({ atMs }) => atMs);
    expect(Math.max(...times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0)))).toBeLessThanOrEqual(10_000);
    expect(sent.at(2)?.message).toBe('Asking gemini-x (16 s)');
    expect(sent).toHaveLength(9);
  });

  it('is silent and leaves no timer once it is stopped', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'status', message: 'one' });
    await clock.advance(0);
    reporter.report({ type: 'status', message: 'two' });
    reporter.stop();
    reporter.report({ type: 'status', message: 'three' });
    await clock.advance(60_000);
    expect(sent).toHaveLength(1);
    expect(clock.sleeping).toBe(0);
  });

  it('sends nothing on top of a notification that the connection has not taken yet', async () => {
    let take: () => void = () => undefined;
    const { reporter, clock, sent } = start(() => new Promise((resolve) => (take = resolve)));
    reporter.report({ type: 'text', text: 'a' });
    await clock.advance(0);
    reporter.report({ type: 'text', text: 'b' });
    await clock.advance(60_000);
    reporter.report({ type: 'text', text: 'c' });
    expect(sent).toHaveLength(1);
    take();
    await clock.advance(0);
    expect(sent.map(({ message }) => message)).toEqual(['a', 'bc']);
    reporter.stop();
  });

  it('does not spin while the connection takes nothing', async () => {
    const clock = new FakeClock();
    let sleeps = 0;
    const reporter = new ProgressReporter({
      clock: {
        now: () => clock.now(),
        sleep: (durationMs, signal) => {
          sleeps += 1;
          return clock.sleep(durationMs, signal);
        },
      },
      send: () => new Promise(() => undefined),
    });
    reporter.report({ type: 'text', text: 'a' });
    await clock.advance(80_000);
    expect(sleeps).toBeLessThan(15);
    reporter.stop();
  });

  it('goes on when a notification could not be sent', async () => {
    const { reporter, clock, sent } = start(() => Promise.reject(new Error('not connected')));
    reporter.report({ type: 'text', text: 'a' });
    await clock.advance(250);
    reporter.report({ type: 'text', text: 'b' });
    await clock.advance(250);
    expect(sent).toHaveLength(2);
    reporter.stop();
  });

  it('goes on when the clock is set back', async () => {
    const clock = new FakeClock();
    let offsetMs = 0;
    const messages: string[] = [];
    const reporter = new ProgressReporter({
      clock: { now: () => clock.now() + offsetMs, sleep: (durationMs, signal) => clock.sleep(durationMs, signal) },
      send: async ({ message }) => void messages.push(message),
    });
    reporter.report({ type: 'text', text: 'a' });
    await clock.advance(0);
    offsetMs = -3_600_000;
    reporter.report({ type: 'text', text: 'b' });
    await clock.advance(250);
    expect(messages).toEqual(['a', 'b']);
    reporter.stop();
  });
});
