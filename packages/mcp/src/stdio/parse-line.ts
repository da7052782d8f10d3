import { isUtf8 } from 'node:buffer';
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { findInvalidInitialize } from '../invalid-initialize.ts';

/** What one line of input turned out to be. */
export type ParsedLine =
  | { readonly type: 'message'; readonly message: JSONRPCMessage }
  | { readonly type: 'blank' }
  /** To be answered with this error. `id` is null where the line holds none that an answer could carry. */
  | { readonly type: 'refused'; readonly id: RequestId | null; readonly code: number; readonly reason: string }
  /** Not to be answered: it looks like an answer itself, and its id would be taken for that of another request. */
  | { readonly type: 'stray-response' };

/** Reads one line as JSON-RPC, without its newline. Never throws. */
export function parseLine(line: Buffer): ParsedLine {
  // Decoding would silently replace what is no UTF-8, and what is sent must be what Gemini gets.
  if (!isUtf8(line)) {
    return refused(null, ErrorCode.ParseError, 'Parse error: the line is not valid UTF-8');
  }
  const text = line.toString('utf8');
  if (text.trim() === '') {
    return { type: 'blank' };
  }
  const json = parseJson(text);
  return json.ok
    ? parseMessage(json.value)
    : refused(null, ErrorCode.ParseError, 'Parse error: the line is not valid JSON');
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
    return refused(null, ErrorCode.InvalidRequest, 'Invalid request: batches are not supported');
  }
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (parsed.success) {
    const invalid = findInvalidInitialize(parsed.data);
    return invalid === null ? { type: 'message', message: parsed.data } : { type: 'refused', ...invalid };
  }
  if (typeof value === 'object' && value !== null && !('method' in value) && ('result' in value || 'error' in value)) {
    return { type: 'stray-response' };
  }
  return refused(usableId(value), ErrorCode.InvalidRequest, 'Invalid request: not a JSON-RPC 2.0 message');
}

function usableId(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) {
    return null;
  }
  const { id } = value;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}

function refused(id: RequestId | null, code: number, reason: string): ParsedLine {
  return { type: 'refused', id, code, reason };
}
