import type { LogLevel } from '../settings/server-settings.ts';

/** The fields of an event: JSON values and errors. The names `level`, `time` and `event` are reserved. */
export type LogFields = Readonly<Record<string, unknown>> & {
  readonly level?: never;
  readonly time?: never;
  readonly event?: never;
};

export type LogEvent = (event: string, fields?: LogFields) => void;

export type EventLevel = Exclude<LogLevel, 'silent'>;

/** Writes one line of JSON for each event: `level`, `time`, `event`, then its fields. Never throws. */
export type Log = Readonly<Record<EventLevel, LogEvent>>;

export type LogOptions = {
  readonly level: LogLevel;
  /** Redacts secrets in a complete text. */
  readonly redact: (text: string) => string;
  /** Receives the lines. Its failures are not reported. */
  readonly stream: { write(line: string): unknown };
};
