import { pino } from 'pino';
import { showFields } from './early-log.ts';
import type { EventLevel, Log, LogEvent, LogOptions } from './log.ts';

/** The log of a process that has started. Loading it takes time: `createEarlyLog` writes the same lines until then. */
export function createLog({ level, redact, stream }: LogOptions): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const at =
    (ofEvent: EventLevel): LogEvent =>
    (event, fields = {}) => {
      if (logger.isLevelEnabled(ofEvent)) {
        logger[ofEvent]({ event, ...showFields(fields, redact) });
      }
    };
  return { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
