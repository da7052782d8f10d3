import type { ErrorCode } from '@modelcontextprotocol/sdk/types.js';

/** Thrown in a request handler, becomes the error answer. The SDK's own class writes its code into the message again. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
