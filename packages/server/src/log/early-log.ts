import { logLevels } from '../settings/log-level.ts';
import type { EventLevel, Log, LogEvent, LogOptions } from './log.ts';
import { showFields } from './show-fields.ts';

/**
 * The log of a process that is starting. It writes the lines of `createLog` without loading that, which would cost a start more
 * than everything else that this package does.
 */
export function createEarlyLog({ level, redact, stream }: LogOptions): Log {
  const at =
    (ofEvent: EventLevel): LogEvent =>
    (event, fields = {}) => {
      if (logLevels.indexOf(ofEvent) >= logLevels.indexOf(level)) {
        const line = { level: ofEvent, time: new Date().toISOString(), event, ...showFields(fields, redact) };
        stream.write(`${JSON.stringify(line)}\n`);
      }
    };
  return { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
