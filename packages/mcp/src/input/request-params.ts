import type { JsonObject } from './tool-input.ts';

/** Codes of errors, as JSON-RPC has them. */
export const errorCodes = { invalidParams: -32_602, internalError: -32_603 } as const;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function invalidParams(reason: string): RpcError {
  return new RpcError(errorCodes.invalidParams, reason);
}

/** The text of this name among the parameters of a request; refuses the request where it is missing or too long. */
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

/** Thrown in a request handler, becomes the error answer. The SDK's own class writes its code into the message again. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
