import type { RunReport } from '@gemini-mcp/adapters-node';
import { secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import { createRedactor } from '@gemini-mcp/core/internal';
import { isInformational } from './informational-line.ts';
import type { Log } from './log.ts';

export type RunLog = (report: RunReport) => void;

/** Characters kept of a message and of an answer: more than the log shows, so that redaction sees whole keys, also those that arrived in two pieces. */
const keptCharacters = 65_536;

/**
 * Makes what writes runs into a log: that they started and ended at `info`, what the CLI said on stderr at `debug`, what was
 * asked and answered at `trace`. The secrets of a run stay out of all of it, also those that only this run has.
 */
export function createRunLog(log: Log): RunLog {
  const running = new Map<string, Running>();
  return (report) => {
    const run = running.get(report.runId) ?? { redact: createRedactor([]), text: '' };
    switch (report.type) {
      case 'started': {
        const redact = createRedactor(secretValues(report.environment));
        running.set(report.runId, { redact, text: '' });
        logStart(log, report, redact);
        break;
      }
      case 'text':
        run.text += report.text.slice(0, keptCharacters - run.text.length);
        break;
      case 'ended':
        running.delete(report.runId);
        log.trace('run-text', { runId: report.runId, text: run.redact(run.text) });
        logEnd(log, report, run.redact);
        break;
    }
  };
}

type Running = {
  readonly redact: (text: string) => string;
  text: string;
};

type Started = Extract<RunReport, { readonly type: 'started' }>;
type Ended = Extract<RunReport, { readonly type: 'ended' }>;

function logStart(log: Log, report: Started, redact: (text: string) => string): void {
  const { runId, model, command, directory, environment, input } = report;
  log.info('run-started', {
    runId,
    model: redact(model),
    command: [command.file, ...command.arguments].map(redact),
    directory: redact(directory),
    environment: Object.fromEntries(Object.keys(environment).map((name) => [redact(name), '***'])),
    inputCharacters: input.length,
  });
  log.trace('run-input', { runId, input: redact(input.slice(0, keptCharacters)) });
}

function logEnd(log: Log, { runId, model, durationMs, end, outcome }: Ended, redact: (text: string) => string): void {
  // Redacted before it is cut into lines: a secret of several lines is not recognised in one of them.
  for (const line of redact(outcome?.stderr ?? '')
    .split('\n')
    .filter((text) => text.trim() !== '')) {
    const level = isInformational(line) ? 'trace' : 'debug';
    log[level]('cli-stderr', { runId, line });
  }
  log.info('run-ended', {
    runId,
    model: redact(model),
    durationMs,
    exitCode: outcome?.exitCode ?? null,
    signal: outcome?.signal ?? null,
    outcome: end.type === 'failure' ? end.failure.kind : 'answered',
  });
}
