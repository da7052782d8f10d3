import type { Log } from './log.ts';

/** What a protocol has to tell the owner of a server: an event, and what belongs to it. */
type ProtocolEntry = {
  readonly event: string;
  readonly correlationId: string | null;
  readonly subject: string | null;
  readonly error: unknown;
};

export type ProtocolLog = (entry: ProtocolEntry) => void;

/** Makes what writes it into a log. What a client sends wrong is its own affair; the rest is a fault of the server. */
export function createProtocolLog(log: Log): ProtocolLog {
  return ({ event, ...fields }) => {
    const level = event === 'protocol-error' ? 'warn' : 'error';
    log[level](event, fields);
  };
}
