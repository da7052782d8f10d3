import { describeShortage, isUnreadableStore } from '@gemini-mcp/core/internal';
import { errorCodes, RpcError } from '../input/request-params.ts';
import type { McpLog, McpLogEntry } from './mcp-log.ts';

/**
 * Logs an error that must not reach the client. Returns the text for the client, with an id by which the owner of the server finds
 * the log entry. The text has no message, stack or path of the error, but names an exhausted system resource or an unreadable store and the remedy.
 */
export function concealError(entry: Omit<McpLogEntry, 'correlationId'>, log: McpLog): string {
  if (isUnreadableStore(entry.error)) {
    log({ ...entry, correlationId: globalThis.crypto.randomUUID() });
    return `Nothing was done. ${entry.error.message}`;
  }
  const correlationId = globalThis.crypto.randomUUID();
  log({ ...entry, correlationId });
  const shortage = describeShortage(entry.error);
  return shortage === null
    ? `Internal error ${correlationId} in gemini-mcp-server. Its log has the details under this id.`
    : `Nothing was done: this machine has run out of a resource that the request needs. ${shortage} Then try again. The log of gemini-mcp-server has the details under ${correlationId}.`;
}

export type ConcealOptions = Pick<McpLogEntry, 'event' | 'subject'> & {
  readonly log: McpLog;
  /** Once aborted, no one waits for an answer, and an error is not logged. */
  readonly signal: AbortSignal;
};

/** Runs the handler of a request. Any exception except our own `RpcError` becomes an internal error without details. */
export async function concealFailure<Result>(work: () => Promise<Result>, options: ConcealOptions): Promise<Result> {
  const { event, subject, log, signal } = options;
  try {
    return await work();
  } catch (error) {
    if (isRpcError(error)) {
      throw error;
    }
    const text = signal.aborted ? 'The request was cancelled.' : concealError({ event, subject, error }, log);
    throw new RpcError(errorCodes.internalError, text);
  }
}

/** Compares names: in the bundle, code loaded late has its own copy of the class. */
export function isRpcError(error: unknown): error is RpcError {
  return error instanceof Error && error.name === 'RpcError';
}
