import { ErrorCode, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '../../../input/request-params.ts';
import type { JsonObject } from '../../../input/tool-input.ts';
import { findInvalidInitialize } from '../invalid-initialize.ts';
import { duplicateIdReason, type IncomingRequest } from '../requests/ledger-entry.ts';

/** Limits one batch; a longer one is refused whole. */
export const maxBatchMessages = 100;

/** The first protocol revision without batches. Revisions are dates, so they sort as text. */
const firstWithoutBatches = '2025-06-18';

/** The content of a body, as far as it is known before the SDK's transport has read it. */
export type ReadBody =
  | {
      readonly type: 'messages';
      /** The requests whose ids have a valid type; the SDK's transport refuses a body with others. */
      readonly requests: readonly IncomingRequest[];
      /** Whether it holds a request, with any id. */
      readonly hasRequests: boolean;
      readonly isInitialize: boolean;
      readonly callsTool: boolean;
    }
  | { readonly type: 'refused'; readonly refusal: RpcRefusal };

/** Reads a parsed body. Refuses bodies that the SDK would accept, answer twice or answer with its validator's text. */
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
    return `the protocol has no batches since ${firstWithoutBatches}`;
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

/** Whether a value has a type that a request id may have. The numbers 0 and 1.5 and the text '' pass. */
function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}

/** Why an HTTP request with messages is not carried out. */
type RpcRefusal = {
  readonly status: number;
  /** A JSON-RPC error code; -32000, which is reserved for servers, unless given. */
  readonly code?: number;
  readonly message: string;
  /** The id of the refused message, if certain. */
  readonly id?: RequestId | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The refusal as MCP clients read it: a JSON-RPC error. */
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

/** The same answer for an unknown session, an ended one and another caller's, so that a caller cannot tell them apart. */
export function refuseUnknownSession(): Response {
  return refuseRpc({ status: 404, code: -32_001, message: 'Session not found' });
}

export function refuseFull(): Response {
  const message = 'The server has reached its limit of sessions, and all of them are in use. Try again later.';
  return refuseRpc({ status: 503, message, headers: { 'Retry-After': '10' } });
}

export function refuseDuplicate(id: RequestId): Response {
  return refuseRpc({ status: 400, code: ErrorCode.InvalidRequest, message: duplicateIdReason, id });
}
