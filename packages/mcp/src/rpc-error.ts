/** Thrown in a request handler, becomes the error answer. The SDK's own class writes its code into the message again. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
