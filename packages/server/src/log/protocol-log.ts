import type { Log } from './log.ts';

/** One entry of a protocol for the operator's log: an event with its details. */
type ProtocolEntry = {
  readonly event: string;
  readonly correlationId: string | null;
  readonly subject: string | null;
  readonly error: unknown;
};

export type ProtocolLog = (entry: ProtocolEntry) => void;

/** Makes a `ProtocolLog` over a log: wrong messages of a client are warnings without a stack, all others are errors of the server. */
export function createProtocolLog(log: Log): ProtocolLog {
  return ({ event, error, ...fields }) => {
    if (event === 'protocol-error') {
      log.warn(event, { ...fields, error: error instanceof Error ? error.message : error });
    } else {
      log.error(event, { ...fields, error });
    }
  };
}
