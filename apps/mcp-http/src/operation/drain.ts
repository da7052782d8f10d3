import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { refuse } from '../refusal.ts';

/** Whether the server is ending. Once it is, it stays so. */
export class Drain {
  #hasBegun = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  begin(): void {
    this.#hasBegun = true;
  }

  /** Refuses with 503 what comes over connections that are still open when the server is ending. */
  readonly refuseNew: MiddlewareHandler<HttpEnv> = async (context, next) => {
    if (!this.#hasBegun) {
      return next();
    }
    return refuse(context, {
      status: 503,
      code: 'shutting-down',
      message: 'This server is ending. Try again when it is back.',
      headers: { 'Retry-After': '5', Connection: 'close' },
    });
  };
}
