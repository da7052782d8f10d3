import type { ApiRunReport } from '@gemini-mcp/adapters-api';
import { createRedactor } from '@gemini-mcp/core/internal';
import type { Log } from './log.ts';

export type ApiRunLog = (report: ApiRunReport) => void;

/** Characters kept of a message and of an answer: more than the log shows, so that redaction sees whole keys. */
const keptCharacters = 65_536;

type Running = {
  readonly redact: (text: string) => string;
  text: string;
};

/**
 * Makes what writes runs over the API into a log, as runs of the CLI are: that they started and ended at `info`, what was asked
 * and answered at `trace`. The key of a run stays out of all of it.
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
        log.info('run-started', { runId, model: redact(model), way: 'api', login, inputCharacters: input.length });
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
