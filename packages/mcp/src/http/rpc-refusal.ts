import { ErrorCode, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { duplicateIdReason } from '../requests/ledger-entry.ts';

/** Why an HTTP request with messages is not carried out. */
export type RpcRefusal = {
  readonly status: number;
  /** Of JSON-RPC; -32000, which is left to servers, unless given. */
  readonly code?: number;
  readonly message: string;
  /** Of the refused message, where it is certain. */
  readonly id?: RequestId | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The refusal as clients of MCP read it: a JSON-RPC error. */
export function refuseRpc({
  status,
  code = ErrorCode.ConnectionClosed,
  message,
  id = null,
  headers,
}: RpcRefusal): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status, headers: { ...headers } });
}

export function refuseClosing(): Response {
  return refuseRpc({ status: 503, message: 'The server is shutting down', headers: { 'Retry-After': '5' } });
}

/** One answer for a session that never was, one that has ended, and one of another caller: they cannot be told apart. */
export function refuseUnknownSession(): Response {
  return refuseRpc({ status: 404, code: -32_001, message: 'Session not found' });
}

export function refuseFull(): Response {
  const message = 'The server holds as many sessions as it may, and all of them are in use. Try again later.';
  return refuseRpc({ status: 503, message, headers: { 'Retry-After': '10' } });
}

export function refuseDuplicate(id: RequestId): Response {
  return refuseRpc({ status: 400, code: ErrorCode.InvalidRequest, message: duplicateIdReason, id });
}
