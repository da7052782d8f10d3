import type { CliOutcome, RunReport } from '@gemini-mcp/adapters-node';
import { describe, expect, it } from 'vitest';
import type { LogLevel } from '../settings/server-settings.ts';
import { createEarlyLog } from './early-log.ts';
import { createRunLog } from './run-log.ts';

const started: Extract<RunReport, { type: 'started' }> = {
  type: 'started',
  runId: 'run-1',
  model: 'gemini-3.1-pro-preview',
  command: { file: '/usr/bin/node', arguments: ['gemini.js', '--model=gemini-3.1-pro-preview'] },
  directory: '/state/runs/run-1/workspace',
  environment: { PATH: '/usr/bin', GEMINI_API_KEY: 'key-of-this-run' },
  input: 'What is this?',
};

const answeredOutcome: CliOutcome = {
  termination: 'exited',
  exitCode: 0,
  signal: null,
  completion: 'success',
  sawEvents: true,
  answered: true,
  httpStatus: null,
  messages: [],
  stderr: '',
  strayOutput: '',
};

const ended: Extract<RunReport, { type: 'ended' }> = {
  type: 'ended',
  runId: 'run-1',
  model: 'gemini-3.1-pro-preview',
  durationMs: 1_234,
  end: { type: 'answer', ending: { type: 'complete' } },
  outcome: answeredOutcome,
};

function logged(level: LogLevel, reports: readonly RunReport[]): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  const runLog = createRunLog(
    createEarlyLog({ level, redact: (text) => text, stream: { write: (line: string) => lines.push(line) } }),
  );
  for (const report of reports) {
    runLog(report);
  }
  return lines.map((line) => JSON.parse(line));
}

describe('createRunLog', () => {
  it('writes at info that a run started and ended, with names of variables and no values', () => {
    const [start, end, ...others] = logged('info', [started, { type: 'text', runId: 'run-1', text: 'It is' }, ended]);
    expect(start).toEqual({
      level: 'info',
      time: expect.any(String),
      event: 'run-started',
      runId: 'run-1',
      model: 'gemini-3.1-pro-preview',
      command: ['/usr/bin/node', 'gemini.js', '--model=gemini-3.1-pro-preview'],
      directory: '/state/runs/run-1/workspace',
      environment: { PATH: '***', GEMINI_API_KEY: '***' },
      inputCharacters: 13,
    });
    expect(end).toEqual({
      level: 'info',
      time: expect.any(String),
      event: 'run-ended',
      runId: 'run-1',
      model: 'gemini-3.1-pro-preview',
      durationMs: 1_234,
      exitCode: 0,
      signal: null,
      outcome: 'answered',
    });
    expect(others).toEqual([]);
  });

  it('says of a run that failed which kind of failure it was', () => {
    const killed: CliOutcome = {
      ...answeredOutcome,
      termination: 'timed-out',
      exitCode: null,
      signal: 'SIGKILL',
      answered: false,
    };
    expect(
      logged('info', [
        started,
        { ...ended, end: { type: 'failure', failure: { kind: 'timeout' } }, outcome: killed },
      ])[1],
    ).toMatchObject({
      outcome: 'timeout',
      exitCode: null,
      signal: 'SIGKILL',
    });
  });

  it('reports a run whose process never started', () => {
    const failure = { kind: 'crashed', detail: 'was not started', excerpt: '' } as const;
    const report: RunReport = { ...ended, end: { type: 'failure', failure }, outcome: null };
    expect(logged('debug', [started, report])[1]).toMatchObject({ outcome: 'crashed', exitCode: null, signal: null });
  });

  it("writes the CLI's stderr at debug, and its usual lines at trace", () => {
    const stderr = 'YOLO mode is enabled. All tool calls will be automatically approved.\nsomething broke\n';
    const reports = [started, { ...ended, outcome: { ...answeredOutcome, stderr } }];
    const lines = (level: LogLevel): readonly unknown[] =>
      logged(level, reports)
        .filter(({ event }) => event === 'cli-stderr')
        .map(({ level: ofLine, line }) => [ofLine, line]);
    expect(lines('info')).toEqual([]);
    expect(lines('debug')).toEqual([['debug', 'something broke']]);
    expect(lines('trace')).toEqual([
      ['trace', 'YOLO mode is enabled. All tool calls will be automatically approved.'],
      ['debug', 'something broke'],
    ]);
  });

  it('writes prompts and answers at trace only', () => {
    const reports: readonly RunReport[] = [
      { ...started, input: 'canary of the prompt' },
      { type: 'text', runId: 'run-1', text: 'canary of ' },
      { type: 'text', runId: 'run-1', text: 'the answer' },
      ended,
    ];
    expect(JSON.stringify(logged('debug', reports))).not.toContain('canary');
    expect(logged('trace', reports)).toEqual([
      expect.objectContaining({ event: 'run-started' }),
      expect.objectContaining({ level: 'trace', event: 'run-input', input: 'canary of the prompt' }),
      expect.objectContaining({ level: 'trace', event: 'run-text', text: 'canary of the answer' }),
      expect.objectContaining({ event: 'run-ended' }),
    ]);
  });

  it('never shows a key, wherever a run has it, and if it comes in two pieces', () => {
    const key = 'canary-key-without-a-shape';
    const everywhere = `x ${key} y`;
    const reports: readonly RunReport[] = [
      {
        ...started,
        model: everywhere,
        command: { file: everywhere, arguments: [everywhere] },
        directory: everywhere,
        environment: { GEMINI_API_KEY: key, OTHER: everywhere, [everywhere]: everywhere },
        input: everywhere,
      },
      { type: 'text', runId: 'run-1', text: key.slice(0, 12) },
      { type: 'text', runId: 'run-1', text: key.slice(12) },
      { ...ended, model: everywhere, outcome: { ...answeredOutcome, stderr: everywhere, messages: [everywhere] } },
    ];
    const text = JSON.stringify(logged('trace', reports));
    expect(text).not.toContain('canary-key');
    expect(text).not.toContain('without-a-shape');
    expect(text).toContain('run-ended');
  });

  it('keeps runs apart that run at one time', () => {
    const other = { ...started, runId: 'run-2', environment: { GEMINI_API_KEY: 'key-of-the-other' } };
    const texts = logged('trace', [
      started,
      other,
      { type: 'text', runId: 'run-2', text: 'two' },
      { type: 'text', runId: 'run-1', text: 'one' },
      { ...ended, runId: 'run-2' },
      ended,
    ]).filter(({ event }) => event === 'run-text');
    expect(texts.map(({ runId, text }) => [runId, text])).toEqual([
      ['run-2', 'two'],
      ['run-1', 'one'],
    ]);
  });

  it('keeps a secret of several lines out of the lines of stderr', () => {
    const stderr = 'Bad key:\n-----BEGIN PRIVATE KEY-----\nMIIcanary\n-----END PRIVATE KEY-----\nBye';
    const lines = logged('debug', [started, { ...ended, outcome: { ...answeredOutcome, stderr } }]);
    const told = lines.filter(({ event }) => event === 'cli-stderr').map(({ line }) => line);
    expect(told).toEqual(['Bad key:', '[redacted]', 'Bye']);
  });
});
