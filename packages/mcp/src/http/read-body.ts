import { ErrorCode, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { findInvalidInitialize } from '../invalid-initialize.ts';
import { isJsonObject, type JsonObject } from '../request-params.ts';
import type { IncomingRequest } from '../requests/open-request.ts';
import type { RpcRefusal } from './rpc-refusal.ts';

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
