import { escapeControls } from '@gemini-mcp/core/internal';
import { logLevels } from '../settings/server-settings.ts';
import type { EventLevel, Log, LogEvent, LogFields, LogOptions } from './log.ts';

/**
 * Creates the log of a starting process. It writes the same lines as `createLog` without loading it, which would cost a start
 * more than everything else in this package.
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

const maxTextCharacters = 4_000;
const maxEntries = 100;
const maxDepth = 4;

type Redact = (text: string) => string;

/** Redacts secrets at any depth of the fields and shortens long texts. */
export function showFields(fields: LogFields, redact: Redact): Readonly<Record<string, unknown>> {
  return Object.fromEntries(entriesOf(fields, redact, maxDepth));
}

function entriesOf(fields: object, redact: Redact, depth: number): readonly (readonly [string, unknown])[] {
  return Object.entries(fields)
    .slice(0, maxEntries)
    .map(([name, value]) => [showText(name, redact), show(value, redact, depth)]);
}

function show(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === 'string') {
    return showText(value, redact);
  }
  if (value instanceof Error) {
    return showText(value.stack ?? value.message, redact);
  }
  if (typeof value === 'bigint') {
    return String(value);
  }
  if (typeof value !== 'object' || value === null) {
    // JSON.stringify would call a function named toJSON.
    return typeof value === 'function' ? undefined : value;
  }
  if (depth === 0) {
    return '…';
  }
  return Array.isArray(value)
    ? value.slice(0, maxEntries).map((entry: unknown) => show(entry, redact, depth - 1))
    : Object.fromEntries(entriesOf(value, redact, depth - 1));
}

/** Redacts before cutting, because half a key is not recognised. Escapes, because JSON leaves non-ASCII characters as they are. */
function showText(text: string, redact: Redact): string {
  return escapeControls(redact(text).slice(0, maxTextCharacters));
}
