import type { HttpBindings } from '@hono/node-server';
import type { Principal } from './access/principal.ts';

/** The context of handlers. */
export type HttpEnv = {
  /** Node's own view of the request: all of its header lines, and the socket. */
  readonly Bindings: HttpBindings & {
    /** Called for a request with a valid token: its connection keeps its slot when slots run short. */
    readonly noteOwner?: (owner: string) => void;
  };
  readonly Variables: {
    readonly requestId: string;
    /** Set for every route after `authenticate`. */
    readonly principal: Principal;
    /** The parsed JSON body, for every route after `readBody`. */
    readonly body: unknown;
    /** The `code` of the refusal, if the request was refused. */
    readonly refusedAs?: string;
  };
};
