import type { RunEvent } from '@gemini-mcp/core';
import { createRedactor } from '@gemini-mcp/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CliOutcome } from '../reading/cli-outcome.ts';
import { RunRecorder } from './run-recorder.ts';

const key = 'AIzaFake-_0123456789abcdefghijklmnopqrs';
const success = { exitCode: 0, signal: null, spawnError: null };

type Recorded = { readonly events: readonly RunEvent[]; readonly outcome: CliOutcome };

type Recording = {
  readonly recorder: RunRecorder;
  readonly events: RunEvent[];
  /** How often the limit was reported. */
  readonly overLimit: () => number;
  /** How often the answer was reported as whole. */
  readonly answered: () => number;
};

function open(inputBytes = 0, hasModelTools = false): Recording {
  const events: RunEvent[] = [];
  let overLimit = 0;
  let answered = 0;
  const recorder = new RunRecorder({
    hasModelTools,
    onInit: () => undefined,
    inputBytes,
    redact: createRedactor([key]),
    onEvents: (more) => events.push(...more),
    onOverLimit: () => {
      overLimit += 1;
    },
    onAnswered: () => {
      answered += 1;
    },
  });
  return { recorder, events, overLimit: () => overLimit, answered: () => answered };
}

async function record(
  stdout: readonly (string | Buffer)[],
  stderr: readonly (string | Buffer)[] = [],
  end = success,
): Promise<Recorded> {
  const { recorder, events } = open();
  for (const chunk of stderr) {
    recorder.readStderr(Buffer.from(chunk));
  }
  for (const chunk of stdout) {
    recorder.readStdout(Buffer.from(chunk));
  }
  await recorder.readRest();
  return { events, outcome: recorder.outcome(end, 'exited') };
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
  { type: 'tool', name: 'write_file', phase: 'failed', detail: 'm' },
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
  it('CLI-11: reports the same of a run, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const { events, outcome } = await record(cutAt(Buffer.from(wholeRun), places));
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

  it('CLI-11: random bytes are neither an event nor an error', async () => {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
    await fc.assert(
      fc.asyncProperty(bytes, bytes, cuts, async (stdout, stderr, places) => {
        const { events, outcome } = await record(cutAt(stdout, places), cutAt(stderr, places));
        expect(events).toEqual([]);
        expect(outcome).toMatchObject({ completion: 'missing', answered: false, sawEvents: false, messages: [] });
      }),
    );
  });

  it('CLI-11: one broken line costs one line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), cuts, async (noise, places) => {
        const broken = Buffer.concat([Buffer.from(lineOf(assistant('a'))), Buffer.from(noise), Buffer.from('\n')]);
        const stdout = Buffer.concat([broken, Buffer.from(lineOf(assistant('b')))]);
        expect((await record(cutAt(stdout, places))).events).toEqual([
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ]);
      }),
    );
  });

  it('an answer of blanks counts as empty', async () => {
    const { events, outcome } = await record([lineOf(assistant(' \n\t')), lineOf(assistant(''))]);
    expect(events).toEqual([{ type: 'text', text: ' \n\t' }]);
    expect(outcome.answered).toBe(false);
  });

  it('reports a whole answer once, and then ignores how the run ended', async () => {
    const { recorder, answered } = open();
    recorder.readStdout(
      Buffer.from(lineOf(assistant('ok')) + lineOf({ type: 'result', timestamp, status: 'success' })),
    );
    await recorder.readRest();
    expect(answered()).toBe(1);
    const killed = { exitCode: null, signal: 'SIGKILL', spawnError: null };
    expect(recorder.outcome(killed, 'exited')).toMatchObject({ completion: 'success', exitCode: null, signal: null });
  });

  it.each([
    [[assistant(''), { type: 'result', timestamp, status: 'success' }]],
    [[assistant('half'), { type: 'result', timestamp, status: 'error' }]],
    [[assistant('half')]],
  ])('does not take %j for a whole answer', async (events) => {
    const { recorder, answered } = open();
    recorder.readStdout(Buffer.from(events.map(lineOf).join('')));
    await recorder.readRest();
    expect(answered()).toBe(0);
  });

  it.each([
    ['not told', {}, {}],
    ['told as none', { cached: 0 }, {}],
    ['told', { cached: 4 }, { cachedTokens: 4 }],
    ['no number', { cached: 'many' }, {}],
  ])('reports cached input if there was any: %s', async (_, stats, told) => {
    const models = { pro: { input_tokens: 5, output_tokens: 1, ...stats } };
    const { events } = await record([lineOf({ type: 'result', status: 'success', stats: { models } })]);
    const entry = { model: 'pro', inputTokens: 5, outputTokens: 1, ...told };
    expect(events).toEqual([{ type: 'usage', models: [entry] }]);
  });

  it('reads a last line that has no end', async () => {
    const { outcome } = await record([lineOf(assistant('a')), '{"type":"result","status":"success"}']);
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
  ])('%s with exit code 0 is not a success', async (_, stdout, expected) => {
    const { events, outcome } = await record([stdout]);
    expect(events).toEqual([]);
    expect(outcome).toMatchObject({ completion: 'missing', answered: false, ...expected });
  });

  it('takes the HTTP status from the exit code only if the run failed', async () => {
    const end = { exitCode: 173, signal: null, spawnError: null };
    expect((await record([], [], end)).outcome.httpStatus).toBe(429);
    expect((await record([lineOf({ type: 'result', status: 'success' })], [], end)).outcome.httpStatus).toBeNull();
  });

  it('SECRET-05: untrusted text is capped and holds no key, wherever that was', async () => {
    const said = `${'x'.repeat(3_990)}${key}${'y'.repeat(5_000)}`;
    const { outcome } = await record(
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

  it('SECRET-05: a key that the first byte kept of stderr goes through is not shown', async () => {
    const filler = ` ${'k'.repeat(90)}`.repeat(700);
    const token = `eyJ${'a'.repeat(64_000)}`;
    for (const lead of [filler, token]) {
      const tail = lead + 'e'.repeat(65_516 - lead.length);
      expect((await record([], [key, tail])).outcome.stderr).not.toContain(key.slice(-20));
    }
  });

  it('CLI-11: keeps the newest of a flood of errors', async () => {
    const flood = Array.from({ length: 50_000 }, (_, index) => lineOf({ type: 'error', message: `error ${index}` }));
    const { messages } = (await record([flood.join('')])).outcome;
    expect(messages).toHaveLength(20);
    expect(messages.at(-1)).toBe('error 49999');
  });

  it.each([
    ['empty lines', '\n', 0],
    ['unknown events', '{"type":"thought","text":"x"}\n', 0],
    ['lines too short for an event', '{}\n', 1],
    ['garbage', '{"type":"oops\n', 1],
  ])('CLI-11: reads 4 MB of %s, and is not stopped for what a later CLI may say', async (_, line, overLimitTimes) => {
    // Work by the square of the lines would not end within a test.
    const { recorder, events, overLimit } = open();
    const chunk = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)));
    for (let written = 0; written < 4_000_000; written += chunk.length) {
      recorder.readStdout(chunk);
    }
    await recorder.readRest();
    expect([events, overLimit()]).toEqual([[], overLimitTimes]);
    expect(recorder.outcome(success, 'exited').strayOutput.length).toBeLessThanOrEqual(500);
  });

  it('CLI-11: reports once that it is over the limit, and reads nothing more', async () => {
    const { recorder, events, overLimit } = open(1_000_000);
    const chunk = Buffer.from(lineOf(assistant('x'.repeat(65_000))));
    let written = 0;
    for (; written + chunk.length <= 33_554_432 + 6_000_000; written += chunk.length) {
      recorder.readStdout(chunk);
    }
    await recorder.readRest();
    expect([events.length, overLimit()]).toEqual([written / chunk.length, 0]);
    recorder.readStdout(chunk);
    recorder.readStdout(chunk);
    await recorder.readRest();
    expect([events.length, overLimit()]).toEqual([written / chunk.length, 1]);
  });

  it('CLI-11: drops pending output over the limit', async () => {
    const { recorder, events } = open();
    const line = Buffer.from(lineOf(assistant('a')));
    recorder.readStdout(line);
    recorder.readStdout(Buffer.alloc(33_554_433));
    await recorder.readRest();
    expect(events).toEqual([]);
  });

  it('CLI-11: one event that is too large is over the limit, however small the rest', async () => {
    const { recorder, overLimit } = open();
    recorder.readStdout(Buffer.alloc(16_777_216, 'x'));
    await recorder.readRest().catch(() => undefined);
    const { recorder: other, overLimit: otherOverLimit } = open();
    other.readStdout(Buffer.alloc(16_777_217, 'x'));
    await other.readRest();
    expect([overLimit(), otherOverLimit()]).toEqual([1, 1]);
  });

  it('CLI-11: results of model tools do not count against the limit, other output does', async () => {
    const { recorder, overLimit } = open(0, true);
    const result = { type: 'tool_result', timestamp, tool_id: 'a', status: 'success', output: 'x'.repeat(4_000_000) };
    for (let written = 0; written < 40_000_000; written += 4_000_000) {
      recorder.readStdout(Buffer.from(lineOf(result)));
      await recorder.readRest();
    }
    expect(overLimit()).toBe(0);
    for (let written = 0; written < 34_000_000; written += 4_000_000) {
      recorder.readStdout(Buffer.from(lineOf(assistant('x'.repeat(4_000_000)))));
      await recorder.readRest();
    }
    expect(overLimit()).toBe(1);
  });

  it('CLI-11: stderr has a limit of its own', () => {
    const { recorder, overLimit } = open();
    const chunk = Buffer.alloc(1_048_576, 'x');
    for (let written = 0; written < 67_108_864; written += chunk.length) {
      recorder.readStderr(chunk);
    }
    expect(overLimit()).toBe(0);
    recorder.readStderr(Buffer.from('x'));
    recorder.readStderr(Buffer.from('x'));
    expect(overLimit()).toBe(1);
  });

  it('does not count the echo of a large input, nor keep it', async () => {
    const { recorder, events, overLimit } = open(8_000_000);
    const echo = { type: 'message', timestamp, role: 'user', content: '\u0001'.repeat(8_000_000) };
    recorder.readStdout(Buffer.from(lineOf(echo)));
    recorder.readStdout(Buffer.from(lineOf(assistant('still read'))));
    await recorder.readRest();
    expect(events).toEqual([{ type: 'text', text: 'still read' }]);
    expect(overLimit()).toBe(0);
    expect(recorder.outcome(success, 'exited').strayOutput).toBe('');
  });

  it('caps the names of tools', async () => {
    const { events } = await record([lineOf({ type: 'tool_use', tool_name: 't'.repeat(5_000), tool_id: 'a' })]);
    expect(events).toEqual([{ type: 'tool', name: 't'.repeat(100), phase: 'started' }]);
  });

  it('reports the message of a failed tool, without keys and capped', async () => {
    const secret = 'AIzaSyA-0123456789abcdefghijklmnopqrstu';
    const failed = (said: object) => lineOf({ type: 'tool_result', tool_id: 'a', status: 'error', ...said });
    const { events } = await record([
      failed({ error: { message: `no ${secret} ${'x'.repeat(900)}` }, output: 'less' }),
      failed({ output: 'only this' }),
      failed({}),
    ]);
    const details = events.map((event) => (event.type === 'tool' ? event.detail : null));
    expect(details).toEqual([`no [redacted] ${'x'.repeat(486)}`, 'only this', undefined]);
  });
});
