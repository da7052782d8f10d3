import { ErrorCode, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '../../../input/request-params.ts';
import type { JsonObject } from '../../../input/tool-input.ts';
import { findInvalidInitialize } from '../invalid-initialize.ts';
import { duplicateIdReason, type IncomingRequest } from '../requests/ledger-entry.ts';

/** Of one batch; a longer one is refused whole. */
export const maxBatchMessages = 100;

/** The revision of the protocol that has no batches any more. Revisions are dates, and so in the order of texts. */
const firstWithoutBatches = '2025-06-18';

/** What a body asks for, as far as it can be told before the SDK's transport has read it. */
export type ReadBody =
  | {
      readonly type: 'messages';
      /** Its requests whose ids have a type that an id may have; the SDK's transport refuses a body with others. */
      readonly requests: readonly IncomingRequest[];
      /** Whether it holds a request, whatever id that has. */
      readonly hasRequests: boolean;
      readonly isInitialize: boolean;
      readonly callsTool: boolean;
    }
  | { readonly type: 'refused'; readonly refusal: RpcRefusal };

/** Reads a parsed body, refusing those that the SDK would take, answer twice or answer with the text of its validator. */
export function readBody(body: unknown, protocolVersion: string | null): ReadBody {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const reason = Array.isArray(body) ? refuseBatch(body, protocolVersion) : null;
  if (reason !== null || !messages.every(isJsonObject)) {
    return refused(`Invalid request: ${reason ?? 'not a JSON-RPC 2.0 message'}`);
  }
  const invalid = messages.map(findInvalidInitialize).find((found) => found !== null);
  if (invalid !== undefined) {
    const { id, code, reason: message } = invalid;
    return { type: 'refused', refusal: { status: 400, id, code, message } };
  }
  const requests = messages.filter(isRequest);
  const ids = requests.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) {
    return refused('Invalid request: two requests of a batch have the same id');
  }
  return {
    type: 'messages',
    requests: requests.flatMap(({ id, method }) => (isRequestId(id) ? [{ id, method: String(method) }] : [])),
    hasRequests: requests.length > 0,
    isInitialize: requests.some(isInitialize),
    callsTool: requests.some(({ method }) => method === 'tools/call'),
  };
}

function refuseBatch(messages: readonly unknown[], protocolVersion: string | null): string | null {
  if (protocolVersion !== null && protocolVersion >= firstWithoutBatches) {
    return `there are no batches in the protocol since ${firstWithoutBatches}`;
  }
  if (messages.length === 0) {
    return 'the batch is empty';
  }
  if (messages.length > maxBatchMessages) {
    return `a batch must not hold more than ${maxBatchMessages} messages`;
  }
  return messages.some(isInitialize) ? 'initialize must not be part of a batch' : null;
}

function isRequest(message: JsonObject): boolean {
  return message['method'] !== undefined && message['id'] !== undefined;
}

function isInitialize(message: unknown): boolean {
  return isJsonObject(message) && isRequest(message) && message['method'] === 'initialize';
}

function refused(message: string): ReadBody {
  return { type: 'refused', refusal: { status: 400, code: ErrorCode.InvalidRequest, message } };
}

/** Whether a value has a type that the id of a request may have. The numbers 0 and 1.5 and the text '' pass. */
function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}

/** Why an HTTP request with messages is not carried out. */
type RpcRefusal = {
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
