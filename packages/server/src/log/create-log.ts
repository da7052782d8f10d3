import { pino } from 'pino';
import { showFields } from './early-log.ts';
import type { EventLevel, Log, LogEvent, LogOptions } from './log.ts';

/** Creates the log of a running process. It loads slowly, so `createEarlyLog` writes the same lines during the start. */
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
