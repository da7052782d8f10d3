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
  it('reports the first progress at once', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'status', message: 'Reading files' });
    await clock.advance(0);
    expect(sent).toEqual([{ atMs: 0, progress: 1, message: 'Reading files' }]);
    reporter.stop();
  });

  it('reports text as the model, the characters so far and the last line', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'status', message: 'Asking gemini-x, attempt 1', model: 'gemini-x' });
    await clock.advance(0);
    reporter.report({ type: 'text', text: '# Title\n\nHel' });
    await clock.advance(250);
    reporter.report({ type: 'text', text: 'lo' });
    reporter.report({ type: 'text', text: ' world\n\n' });
    await clock.advance(250);
    reporter.stop();
    expect(sent.map(({ message }) => message)).toEqual([
      'Asking gemini-x, attempt 1',
      'gemini-x · 12 characters · Hel',
      'gemini-x · 22 characters · Hello world',
    ]);
  });

  it('reports the statuses of 250 ms on one line', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'status', message: 'one' });
    await clock.advance(1);
    reporter.report({ type: 'status', message: 'two' });
    reporter.report({ type: 'status', message: 'three\nand more' });
    await clock.advance(248);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent.at(1)).toEqual({ atMs: 250, progress: 2, message: 'two · three and more' });
    reporter.stop();
  });

  it('reports a status between pieces of text at its time and on its own, then the text that came after it', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'text', text: 'a' });
    await clock.advance(100);
    reporter.report({ type: 'text', text: 'b' });
    reporter.report({ type: 'status', message: 'Gemini uses its tool read_file' });
    reporter.report({ type: 'text', text: 'c' });
    await clock.advance(500);
    expect(sent.map(({ atMs, message }) => [atMs, message])).toEqual([
      [0, '1 character · a'],
      [250, 'Gemini uses its tool read_file'],
      [500, '3 characters · abc'],
    ]);
    reporter.stop();
  });

  it('does not report text again after a status that came later', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'status', message: 'one' });
    await clock.advance(0);
    reporter.report({ type: 'text', text: 'a' });
    reporter.report({ type: 'status', message: 'two' });
    await clock.advance(1_000);
    expect(sent.map(({ message }) => message)).toEqual(['one', 'two']);
    reporter.stop();
  });

  it('counts from zero when the answer starts over with another model', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'status', message: 'Asking x, attempt 1', model: 'x' });
    reporter.report({ type: 'text', text: 'of x' });
    await clock.advance(500);
    reporter.report({ type: 'status', message: 'Falling back to y' });
    reporter.report({ type: 'status', message: 'Asking y, attempt 2', model: 'y', startsOver: true });
    reporter.report({ type: 'text', text: 'y!' });
    await clock.advance(500);
    expect(sent.map(({ message }) => message)).toEqual([
      'Asking x, attempt 1',
      'x · 4 characters · of x',
      'Falling back to y · Asking y, attempt 2',
      'y · 2 characters · y!',
    ]);
    reporter.stop();
  });

  it('keeps 250 ms between any two messages of a long stream, and counts all of it', async () => {
    const { reporter, clock, sent } = start();
    for (let piece = 0; piece < 200; piece += 1) {
      reporter.report({ type: 'text', text: `${String(piece).padStart(9)}\n` });
      await clock.advance(17);
    }
    await clock.advance(250);
    reporter.stop();
    const gaps = sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
    expect(sent.length).toBeLessThanOrEqual(15);
    expect(sent.at(-1)?.message).toBe('2,000 characters · 199');
    expect(sent.map(({ progress }) => progress)).toEqual(sent.map((_, index) => index + 1));
  });

  it('takes out what could play with a terminal', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'text', text: 'a\u001b[2J\u0007b\tc\u202ed' });
    reporter.report({ type: 'status', message: 'e\u001b[2J\u2066f', model: 'gemini\u0007' });
    await clock.advance(0);
    reporter.report({ type: 'text', text: '!' });
    await clock.advance(250);
    expect(sent.map(({ message }) => message)).toEqual(['e[2Jf', 'gemini · 12 characters · a[2Jb cd!']);
    reporter.stop();
  });

  it('keeps the end of a flood of statuses', async () => {
    const { reporter, clock, sent } = start();
    for (let number = 1; number <= 10_000; number += 1) {
      reporter.report({ type: 'status', message: `status ${number}` });
    }
    await clock.advance(0);
    expect(sent[0]?.message.length).toBeLessThanOrEqual(2_000);
    expect(sent[0]?.message).toMatch(/^….* · status 10000$/u);
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

  it('repeats what it knows of the text when no more comes', async () => {
    const { reporter, clock, sent } = start();
    reporter.report({ type: 'status', message: 'Asking gemini-x', model: 'gemini-x' });
    reporter.report({ type: 'text', text: 'Hello' });
    await clock.advance(8_500);
    expect(sent.at(-1)?.message).toBe('gemini-x · 5 characters · 8 s · Hello');
    reporter.stop();
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
    expect(sent.map(({ message }) => message)).toEqual(['1 character · a', '3 characters · abc']);
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
    expect(messages).toEqual(['1 character · a', '2 characters · ab']);
    reporter.stop();
  });
});
