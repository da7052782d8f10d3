import type { PoolEndReason, PoolReport } from '@gemini-mcp/adapters-node';
import type { ChoiceReason, Clock, RunnerChoice } from '@gemini-mcp/core';
import { describeRetirement } from '@gemini-mcp/core/internal';
import type { Configuration } from '../settings/read-configuration.ts';
import type { EventLevel, Log } from './log.ts';

export type ChoiceLog = (choice: RunnerChoice) => void;

/** Choices with these reasons are logged at `debug`. */
const expected: readonly ChoiceReason[] = ['preferred', 'asked-for', 'needs-login'];

/**
 * Returns an observer that logs which runner got a request and why: at `debug` for the preferred runner, at `info` for
 * another one.
 */
export function createChoiceLog(log: Log): ChoiceLog {
  return ({ runner, reason, text, detail }) => {
    const level = expected.includes(reason) ? 'debug' : 'info';
    log[level]('runner-chosen', { runner, reason, text, ...(detail === undefined ? {} : { detail }) });
  };
}

export type PoolLog = (report: PoolReport) => void;

/** Log levels of the ends of warm processes: routine ends, a reached limit, and unexpected ends. */
const endLevels: Readonly<Record<PoolEndReason, EventLevel>> = {
  sessions: 'debug',
  idle: 'debug',
  alone: 'debug',
  evicted: 'debug',
  closed: 'debug',
  memory: 'info',
  fault: 'warn',
  crashed: 'warn',
  'start-failed': 'warn',
};

/** Returns a listener that logs when warm processes start, become ready and end, and when another process takes over a call. */
export function createPoolLog(log: Log): PoolLog {
  return (report) => {
    const { processId } = report;
    switch (report.type) {
      case 'started':
        log.debug('warm-started', { processId });
        break;
      case 'ready':
        log.debug('warm-ready', { processId, afterMs: report.afterMs });
        break;
      case 'ended': {
        const { reason, detail, sessions, lifetimeMs } = report;
        log[endLevels[reason]]('warm-ended', { processId, reason, detail, sessions, lifetimeMs });
        break;
      }
      case 'retried':
        log.info('warm-retried', { processId, detail: report.detail });
        break;
    }
  };
}

/** One protocol event for the operator's log, with its details. */
type ProtocolEntry = {
  readonly event: string;
  readonly correlationId: string | null;
  readonly subject: string | null;
  readonly error: unknown;
};

export type ProtocolLog = (entry: ProtocolEntry) => void;

/** Creates a `ProtocolLog` over a log. Invalid client messages are warnings without a stack; everything else is a server error. */
export function createProtocolLog(log: Log): ProtocolLog {
  return ({ event, error, ...fields }) => {
    if (event === 'protocol-error') {
      log.warn(event, { ...fields, error: error instanceof Error ? error.message : error });
    } else {
      log.error(event, { ...fields, error });
    }
  };
}

/** Logs the configured directories that are symlinks, with their pinned paths. A symlink is not followed again. */
export function logPinnedPaths(log: Pick<Log, 'info'>, { pinnedPaths }: Pick<Configuration, 'pinnedPaths'>): void {
  for (const [directory, realPath] of pinnedPaths) {
    if (realPath !== directory) {
      log.info('directory-pinned', { directory, realPath });
    }
  }
}

/** Warns at the start about models in the chain that Google will shut down or has shut down. */
export function warnOfRetiredModels(modelChain: readonly string[], clock: Pick<Clock, 'now'>, log: Log): void {
  for (const model of modelChain) {
    const message = describeRetirement(model, clock.now());
    if (message !== null) {
      log.warn('model-retired', { model, message });
    }
  }
}
