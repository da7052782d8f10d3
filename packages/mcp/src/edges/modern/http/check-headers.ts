import { isJsonObject, RpcError } from '../../../input/request-params.ts';
import { type ModernRequest, modernErrorCodes } from '../envelope.ts';

/** The parameter that `Mcp-Name` repeats, by method. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Throws an `RpcError` if the header that names the revision is missing or differs from the body. */
export function checkVersionHeader(headers: Headers, version: string): void {
  requireEqual(headers, { header: 'MCP-Protocol-Version', expected: version });
}

/**
 * Compares the other headers of a request with its body: a proxy may have decided by the headers who may send it. Throws an `RpcError`
 * if one is missing or differs.
 */
export function checkHeaders(headers: Headers, { method, params }: ModernRequest): void {
  requireEqual(headers, { header: 'Mcp-Method', expected: method });
  const field = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined;
  const name = field !== undefined && isJsonObject(params) ? params[field] : undefined;
  if (typeof name === 'string') {
    requireEqual(headers, { header: 'Mcp-Name', expected: name, decode: true });
  }
}

type Expected = {
  readonly header: string;
  readonly expected: string;
  /** Whether the value may be Base64, as names that are not ASCII must be. */
  readonly decode?: boolean;
};

function requireEqual(headers: Headers, { header, expected, decode = false }: Expected): void {
  const given = headers.get(header);
  if (given === null) {
    throw mismatch(`the header ${header} is missing`);
  }
  const value = decode ? decodeValue(given.trim()) : given.trim();
  if (value === null) {
    throw mismatch(`the header ${header} is not valid Base64 of UTF-8`);
  }
  if (value !== expected) {
    throw mismatch(`the header ${header} differs from the body`);
  }
}

function mismatch(reason: string): RpcError {
  return new RpcError(modernErrorCodes.headerMismatch, `Header mismatch: ${reason}`);
}

const encoded = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** Null for a value that is marked as Base64 and is not. */
function decodeValue(value: string): string | null {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) {
    return value;
  }
  const payload = encoded.exec(value)?.[1];
  try {
    return payload === undefined
      ? null
      : new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(payload, 'base64'));
  } catch {
    return null;
  }
}
