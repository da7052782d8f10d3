import type { RunEvent, RunOutcome } from '@gemini-mcp/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../process/redact-secrets.ts';
import { RunRecorder } from './run-recorder.ts';

const key = 'AIzaFake-_0123456789abcdefghijklmnopqrs';
const success = { exitCode: 0, signal: null, spawnError: null };

type Recorded = { readonly events: readonly RunEvent[]; readonly outcome: RunOutcome };

function record(
  stdout: readonly (string | Buffer)[],
  stderr: readonly (string | Buffer)[] = [],
  end = success,
): Recorded {
  const recorder = new RunRecorder({ inputBytes: 0, redact: createRedactor([key]) });
  for (const chunk of stderr) {
    recorder.readStderr(Buffer.from(chunk));
  }
  const events = stdout.flatMap((chunk) => recorder.readStdout(Buffer.from(chunk)));
  return { events: [...events, ...recorder.readRest()], outcome: recorder.outcome(end, 'exited') };
}

const timestamp = '2026-11-21T20:46:16.129Z';
const init = { type: 'init', timestamp, session_id: '1e65f175', model: 'auto' };
const assistant = (content: string) => ({ type: 'message', timestamp, role: 'assistant', content, delta: true });
const lineOf = (event: object) => `${JSON.stringify(event)}\n`;

const wholeRun = [
  init,
  { type: 'message', timestamp, role: 'user', content: `${'the question '.repeat(1_000)}` },
  assistant('Let me see. '),
  { type: 'tool_use', timestamp, tool_name: 'google_web_search', tool_id: 'a_1', parameters: { query: 'abc' } },
  { type: 'tool_result', timestamp, tool_id: 'a_1', status: 'success', output: 'x' },
  { type: 'tool_use', timestamp, tool_name: 'write_file', tool_id: 'b_2', parameters: {} },
  {
    type: 'tool_result',
    timestamp,
    tool_id: 'b_2',
    status: 'error',
    error: { type: 'policy_violation', message: 'm' },
  },
  { type: 'error', timestamp, severity: 'warning', message: 'Loop detected, stopping execution' },
  assistant('Café 日本 😀'),
  {
    type: 'result',
    timestamp,
    status: 'success',
    stats: {
      models: { 'gemini-2.5-pro': { input_tokens: 7, output_tokens: 2 }, flash: { input_tokens: 1, output_tokens: 0 } },
    },
  },
]
  .map(lineOf)
  .join('');

const wholeEvents: readonly RunEvent[] = [
  { type: 'text', text: 'Let me see. ' },
  { type: 'tool', name: 'google_web_search', phase: 'started' },
  { type: 'tool', name: 'google_web_search', phase: 'succeeded' },
  { type: 'tool', name: 'write_file', phase: 'started' },
  { type: 'tool', name: 'write_file', phase: 'failed' },
  { type: 'text', text: 'Café 日本 😀' },
  {
    type: 'usage',
    models: [
      { model: 'gemini-2.5-pro', inputTokens: 7, outputTokens: 2 },
      { model: 'flash', inputTokens: 1, outputTokens: 0 },
    ],
  },
];

function cutAt(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [0, ...[...cuts].map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const cuts = fc.array(fc.nat(), { maxLength: 40 });

describe('RunRecorder', () => {
  it('CLI-11: tells the same of a run, whatever the chunks', () => {
    fc.assert(
      fc.property(cuts, (places) => {
        const { events, outcome } = record(cutAt(Buffer.from(wholeRun), places));
        expect(events).toEqual(wholeEvents);
        expect(outcome).toMatchObject({
          completion: 'success',
          answered: true,
          sawEvents: true,
          messages: ['Loop detected, stopping execution'],
          strayOutput: '',
        });
      }),
    );
  });

  it('CLI-11: random bytes are no event and no error', () => {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(bytes, bytes, cuts, (stdout, stderr, places) => {
        const { events, outcome } = record(cutAt(stdout, places), cutAt(stderr, places));
        expect(events).toEqual([]);
        expect(outcome).toMatchObject({ completion: 'missing', answered: false, sawEvents: false, messages: [] });
      }),
    );
  });

  it('CLI-11: one broken line costs one line', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), cuts, (noise, places) => {
        const broken = Buffer.concat([Buffer.from(lineOf(assistant('a'))), Buffer.from(noise), Buffer.from('\n')]);
        const stdout = Buffer.concat([broken, Buffer.from(lineOf(assistant('b')))]);
        expect(record(cutAt(stdout, places)).events).toEqual([
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ]);
      }),
    );
  });

  it('an answer of blanks is none', () => {
    const { events, outcome } = record([lineOf(assistant(' \n\t')), lineOf(assistant(''))]);
    expect(events).toEqual([{ type: 'text', text: ' \n\t' }]);
    expect(outcome.answered).toBe(false);
  });

  it('reads a last line that has no end', () => {
    const { outcome } = record([lineOf(assistant('a')), '{"type":"result","status":"success"}']);
    expect(outcome).toMatchObject({ completion: 'success', answered: true });
  });

  it.each([
    ['CLI-07: garbage', 'garbage\nmore garbage\n', { sawEvents: false, strayOutput: 'garbage\nmore garbage\n' }],
    ['CLI-07: nothing', '', { sawEvents: false, strayOutput: '' }],
    [
      'CLI-08: an empty response',
      '{"response":"","stats":{"models":{}}}',
      { sawEvents: false, strayOutput: '{"response":"","stats":{"models":{}}}\n' },
    ],
  ])('%s with exit code 0 is no success', (_, stdout, expected) => {
    const { events, outcome } = record([stdout]);
    expect(events).toEqual([]);
    expect(outcome).toMatchObject({ completion: 'missing', answered: false, ...expected });
  });

  it('takes the HTTP status from the exit code only where the run did not succeed', () => {
    const end = { exitCode: 173, signal: null, spawnError: null };
    expect(record([], [], end).outcome.httpStatus).toBe(429);
    expect(record([lineOf({ type: 'result', status: 'success' })], [], end).outcome.httpStatus).toBeNull();
  });

  it('SECRET-05: what strangers said is capped and holds no key, wherever it stands', () => {
    const said = `${'x'.repeat(3_990)}${key}${'y'.repeat(5_000)}`;
    const { outcome } = record(
      [
        lineOf({ type: 'error', message: said }),
        `${said}\n`,
        lineOf({ type: 'result', status: 'error', error: { message: said } }),
      ],
      [said, key.slice(0, 9), key.slice(9), JSON.stringify({ key })],
    );
    const shown = [...outcome.messages, outcome.stderr, outcome.strayOutput];
    expect(outcome.messages).toHaveLength(2);
    expect(shown.every((text) => text.length > 0 && text.length <= 4_096)).toBe(true);
    expect(outcome.strayOutput).toHaveLength(500);
    expect(shown.join('\n')).not.toMatch(/AIza/);
  });

  it('SECRET-05: a key that the first byte kept of stderr goes through is not shown', () => {
    const filler = ` ${'k'.repeat(90)}`.repeat(700);
    const token = `eyJ${'a'.repeat(64_000)}`;
    for (const lead of [filler, token]) {
      const tail = lead + 'e'.repeat(65_516 - lead.length);
      expect(record([], [key, tail]).outcome.stderr).not.toContain(key.slice(-20));
    }
  });

  it('CLI-11: keeps the newest of a flood of errors', () => {
    const flood = Array.from({ length: 50_000 }, (_, index) => lineOf({ type: 'error', message: `error ${index}` }));
    const { messages } = record([flood.join('')]).outcome;
    expect(messages).toHaveLength(20);
    expect(messages.at(-1)).toBe('error 49999');
  });

  it.each([
    ['empty lines', '\n'],
    ['lines too short for an event', '{}\n'],
    ['garbage', '{"type":"oops\n'],
    ['unknown events', '{"type":"thought","text":"x"}\n'],
  ])('CLI-11: reads 8 MB of %s without going through them again for each', (_, line) => {
    // Work by the square of the lines would not end within a test.
    const chunk = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)));
    const { events, outcome } = record(Array.from({ length: 128 }, () => chunk));
    expect(events).toEqual([]);
    expect(outcome.strayOutput.length).toBeLessThanOrEqual(500);
  });

  it('CLI-11: reads nothing any more once it is over the limit', () => {
    const recorder = new RunRecorder({ inputBytes: 1_000_000, redact: (text) => text });
    const chunk = Buffer.from(lineOf(assistant('x'.repeat(65_000))));
    let read = 0;
    for (let written = 0; written < 100_000_000; written += chunk.length) {
      read += recorder.readStdout(chunk).length * chunk.length;
    }
    expect(recorder.isOverLimit).toBe(true);
    expect(read).toBeGreaterThan(33_000_000);
    expect(read).toBeLessThanOrEqual(33_554_432 + 6_000_000);
    expect(recorder.readRest()).toEqual([]);
  });

  it('CLI-11: one event that is too large is over the limit, however small the rest', () => {
    const recorder = new RunRecorder({ inputBytes: 0, redact: (text) => text });
    recorder.readStdout(Buffer.alloc(16_777_216, 'x'));
    expect(recorder.isOverLimit).toBe(false);
    recorder.readStdout(Buffer.from('x'));
    expect(recorder.isOverLimit).toBe(true);
  });

  it('does not count the echo of a large input, nor keep it', () => {
    const recorder = new RunRecorder({ inputBytes: 8_000_000, redact: (text) => text });
    const echo = { type: 'message', timestamp, role: 'user', content: '\u0001'.repeat(8_000_000) };
    expect(recorder.readStdout(Buffer.from(lineOf(echo)))).toEqual([]);
    expect(recorder.isOverLimit).toBe(false);
    expect(recorder.readStdout(Buffer.from(lineOf(assistant('still read'))))).toHaveLength(1);
    expect(recorder.outcome(success, 'exited').strayOutput).toBe('');
  });

  it('caps the names of tools', () => {
    const { events } = record([lineOf({ type: 'tool_use', tool_name: 't'.repeat(5_000), tool_id: 'a' })]);
    expect(events).toEqual([{ type: 'tool', name: 't'.repeat(100), phase: 'started' }]);
  });
});
