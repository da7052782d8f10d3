import type { PoolEndReason, PoolReport } from '@gemini-mcp/adapters-node';
import type { EventLevel, Log } from './log.ts';

export type PoolLog = (report: PoolReport) => void;

/** Ends that belong to keeping processes, one that tells of a limit, and such as should not have happened. */
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

/** Makes a listener that logs when warm processes start, are ready and end, and when another process takes over a call. */
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
