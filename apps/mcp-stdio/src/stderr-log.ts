import type { Writable } from 'node:stream';

const maxTextCharacters = 4_000;

export type StderrLogOptions = {
  readonly stderr: Writable;
  readonly redact: (text: string) => string;
};

/** One line of JSON for each thing that happened. */
export type StderrLog = (event: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Writes lines to stderr, where every MCP client keeps or shows them; stdout belongs to the protocol. */
export function createStderrLog({ stderr, redact }: StderrLogOptions): StderrLog {
  // A client that has closed its end of stderr is no reason to stop.
  stderr.on('error', () => undefined);
  return (event, fields = {}) => {
    const entries = Object.entries(fields).map(([name, value]) => [name, describe(value, redact)]);
    stderr.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...Object.fromEntries(entries) })}\n`);
  };
}

function describe(value: unknown, redact: (text: string) => string): unknown {
  if (value instanceof Error) {
    return redact(value.stack ?? value.message).slice(0, maxTextCharacters);
  }
  return typeof value === 'string' ? redact(value).slice(0, maxTextCharacters) : value;
}
