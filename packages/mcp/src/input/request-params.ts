import type { JsonObject } from './tool-input.ts';

/** Error codes of JSON-RPC and of the protocol. */
export const errorCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** In the revisions up to 2025-11-25; revision 2026-07-28 uses `invalidParams`. */
  resourceNotFound: -32_002,
} as const;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function invalidParams(reason: string): RpcError {
  return new RpcError(errorCodes.invalidParams, reason);
}

/** Reads the parameter of this name as a string. Refuses the request if it is missing or too long. */
export function readText(params: unknown, name: string, maxCharacters: number): string {
  const value = isJsonObject(params) ? params[name] : undefined;
  if (typeof value !== 'string') {
    throw invalidParams(`Invalid parameters: ${name} must be a string`);
  }
  if (value.length > maxCharacters) {
    throw invalidParams(
      `Invalid parameters: ${name} has ${value.length} characters; at most ${maxCharacters} are accepted`,
    );
  }
  return value;
}

/** Refuses a request for any page but the first: each of our lists fits on one. */
export function requireFirstPage(params: unknown, listed: string): void {
  if (isJsonObject(params) && params['cursor'] !== undefined) {
    throw invalidParams(`Unknown cursor: the ${listed} fit on one page`);
  }
}

/** A request handler throws this to send an error response. The SDK's own class repeats its code in the message. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  /** What the error object carries in addition, if anything. */
  readonly data?: JsonObject;

  constructor(code: number, message: string, data?: JsonObject) {
    super(message);
    this.code = code;
    if (data !== undefined) {
      this.data = data;
    }
  }
}
