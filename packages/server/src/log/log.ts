import type { LogLevel } from '../settings/log-level.ts';

/** What belongs to an event: whatever JSON can hold, and errors. The names of the line's own parts are taken. */
export type LogFields = Readonly<Record<string, unknown>> & {
  readonly level?: never;
  readonly time?: never;
  readonly event?: never;
};

export type LogEvent = (event: string, fields?: LogFields) => void;

export type EventLevel = Exclude<LogLevel, 'silent'>;

/** Writes one line of JSON for each thing that happened: `level`, `time`, `event`, then its fields. Never throws. */
export type Log = Readonly<Record<EventLevel, LogEvent>>;

export type LogOptions = {
  readonly level: LogLevel;
  /** Takes secrets out of a text that it is given whole. */
  readonly redact: (text: string) => string;
  /** Where lines go; nobody hears of its failures. */
  readonly stream: { write(line: string): unknown };
};
