import { isUtf8 } from 'node:buffer';
import { errorCodes, isJsonObject } from '../../input/request-params.ts';
import { isRequestId, isRpcMessage, type RequestId, type RpcMessage } from '../rpc-message.ts';

/** The result of parsing one line of input. */
type ParsedLine =
  | { readonly type: 'message'; readonly message: RpcMessage }
  | { readonly type: 'blank' }
  /** Answered with this error. `id` is null if the line has no valid id. */
  | { readonly type: 'refused'; readonly id: RequestId | null; readonly code: number; readonly reason: string }
  /** Not answered: it looks like an answer itself, and its id could be that of another request. */
  | { readonly type: 'stray-response' };

/** Reads one line as JSON-RPC, without its newline. Never throws. */
export function parseMessageLine(line: Buffer): ParsedLine {
  // Decoding would silently replace invalid UTF-8, but Gemini must get exactly the bytes that the client sent.
  if (!isUtf8(line)) {
    return refused(null, errorCodes.parseError, 'Parse error: the line is not valid UTF-8');
  }
  const text = line.toString('utf8');
  if (text.trim() === '') {
    return { type: 'blank' };
  }
  const json = parseJson(text);
  return json.ok
    ? parseMessage(json.value)
    : refused(null, errorCodes.parseError, 'Parse error: the line is not valid JSON');
}

function parseJson(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

function parseMessage(value: unknown): ParsedLine {
  if (Array.isArray(value)) {
    return refused(null, errorCodes.invalidRequest, 'Invalid request: batches are not supported');
  }
  if (isRpcMessage(value)) {
    return { type: 'message', message: value };
  }
  if (isJsonObject(value) && !('method' in value) && ('result' in value || 'error' in value)) {
    return { type: 'stray-response' };
  }
  return refused(usableId(value), errorCodes.invalidRequest, 'Invalid request: not a JSON-RPC 2.0 message');
}

function usableId(value: unknown): RequestId | null {
  const id = isJsonObject(value) ? value['id'] : undefined;
  return isRequestId(id) ? id : null;
}

function refused(id: RequestId | null, code: number, reason: string): ParsedLine {
  return { type: 'refused', id, code, reason };
}
