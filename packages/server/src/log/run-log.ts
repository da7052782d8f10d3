import type { ApiRunReport } from '@gemini-mcp/adapters-api';
import type { RunReport } from '@gemini-mcp/adapters-node';
import { secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import { createRedactor } from '@gemini-mcp/core/internal';
import type { Log } from './log.ts';

export type RunLog = (report: RunReport) => void;

/** Characters of a message or answer held in memory: more than the log shows, so that redaction sees whole keys even if they arrived in two chunks. */
const keptCharacters = 65_536;

/**
 * Returns an observer that logs CLI runs: start and end at `info`, the CLI's stderr at `debug`, prompts and answers at `trace`.
 * Every line is redacted, including secrets that only this run has.
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
  // Redacted before the split into lines: a multi-line secret is not recognised in a single line.
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

/** Lines that Gemini CLI 0.61.0 wrote to stderr in successful real runs. */
const informational: readonly RegExp[] = [
  /^Warning: (?:256-color|[Tt]rue[- ]?[Cc]olor|.*\bTERM=dumb|.*\btmux\b|.*\bJetBrains\b)/,
  /^\[STARTUP\] /,
  /^YOLO mode is enabled\. /,
  /^Ripgrep is not available\. /,
  /^MCP issues detected\. /,
  /^Blocked dangerous environment variable override/,
  /^Both GOOGLE_API_KEY and GEMINI_API_KEY are set\. /,
  /^Attempt \d+ failed/,
  /^\s+at \S/,
  /^Error executing tool /,
  /^Error when talking to Gemini API Full report available at: /,
  /^Error generating content via API\. /,
  /^\[Routing\] /,
  /^Invalid configuration in /,
  /^Warning: (?:--allowed-tools|tools\.exclude)/,
  /^Security Warning: Skipping /,
  /^Skipping project agents due to untrusted folder\. /,
  /^Project hooks disabled because the folder is not trusted\./,
  /^WARNING: The following project-level hooks have been detected/,
  /^Warning: stdin input truncated/,
  /^Could not find promptId in context for /,
  /^Error handling request \{/,
  /^\[WARN\] Skipping unreadable directory: /,
  /^Loaded cached credentials\./,
  /^\s*$/,
];

/**
 * Whether successful runs of the CLI also write this stderr line, however alarming it sounds. The reason for a failure comes
 * from the run's outcome, never from such a line alone.
 */
export function isInformational(line: string): boolean {
  return informational.some((pattern) => pattern.test(line));
}

type ApiRunLog = (report: ApiRunReport) => void;

/**
 * Returns an observer that logs API runs as CLI runs are logged: start and end at `info`, prompts and answers at `trace`. The
 * key of a run is redacted.
 */
export function createApiRunLog(log: Log): ApiRunLog {
  const running = new Map<string, Running>();
  return (report) => {
    const run = running.get(report.runId) ?? { redact: createRedactor([]), text: '' };
    switch (report.type) {
      case 'started': {
        const redact = createRedactor(report.secrets);
        running.set(report.runId, { redact, text: '' });
        const { runId, model, login, input } = report;
        log.info('run-started', { runId, model: redact(model), backend: 'api', login, inputCharacters: input.length });
        log.trace('run-input', { runId, input: redact(input.slice(0, keptCharacters)) });
        break;
      }
      case 'text':
        run.text += report.text.slice(0, keptCharacters - run.text.length);
        break;
      case 'ended': {
        const { runId, model, durationMs, end } = report;
        running.delete(runId);
        log.trace('run-text', { runId, text: run.redact(run.text) });
        const outcome = end.type === 'failure' ? end.failure.kind : 'answered';
        log.info('run-ended', { runId, model: run.redact(model), durationMs, outcome });
        break;
      }
    }
  };
}
