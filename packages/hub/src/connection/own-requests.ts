import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** How far a call is, as its server tells it. */
export type ServerProgress = { readonly progress: number; readonly total: number | null; readonly message: string };

export type ServerRequest = {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Asks the server for progress, and hears of it. */
  readonly onProgress?: ((progress: ServerProgress) => void) | undefined;
};

/** What became of a request that was sent. */
export type Answer =
  | { readonly type: 'answered'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly type: 'error'; readonly code: number; readonly message: string }
  /** There was an answer, which cannot be read. */
  | { readonly type: 'unreadable'; readonly detail: string }
  | { readonly type: 'not-sent'; readonly error: unknown }
  | { readonly type: 'connection-over' }
  | { readonly type: 'taken-back' };

export type Asked = {
  /** Never rejects. */
  readonly answer: Promise<Answer>;
  /** The answer is not wanted any more: the server hears so. Nothing happens where it has come. */
  readonly takeBack: () => void;
};

type Waiting = {
  readonly settle: (answer: Answer) => void;
  readonly onProgress: ServerRequest['onProgress'];
};

/** Far from the numbers of the SDK's client, which counts its few requests from 0. */
const firstId = 1_000_000;

const maxProgressCharacters = 500;

/**
 * Our requests to a server, each with its one answer. The client of the SDK can carry requests too, but needs an `AbortSignal`, a timer and
 * several schemas for each: half the time of a call.
 */
export class OwnRequests {
  readonly #send: (message: JSONRPCMessage) => Promise<void>;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = firstId;
  #isOver = false;

  constructor(send: (message: JSONRPCMessage) => Promise<void>) {
    this.#send = send;
  }

  get ids(): Iterable<number> {
    return this.#waiting.keys();
  }

  has(id: number): boolean {
    return this.#waiting.has(id);
  }

  ask({ method, params, onProgress }: ServerRequest): Asked {
    const id = this.#nextId;
    this.#nextId += 1;
    const answer = new Promise<Answer>((settle) => {
      if (this.#isOver) {
        settle({ type: 'connection-over' });
        return;
      }
      this.#waiting.set(id, { settle, onProgress });
      const told = onProgress === undefined ? params : { ...params, _meta: { progressToken: id } };
      this.#send({ jsonrpc: '2.0', id, method, params: told }).catch((error: unknown) =>
        this.#settle(id, { type: 'not-sent', error }),
      );
    });
    return { answer, takeBack: () => this.#takeBack(id) };
  }

  /** Whether the message was an answer to one of these. Only the first is. */
  take(message: JSONRPCMessage): boolean {
    if ('method' in message || typeof message.id !== 'number') {
      return false;
    }
    return this.#settle(
      message.id,
      'result' in message
        ? { type: 'answered', result: message.result }
        : { type: 'error', code: message.error.code, message: message.error.message },
    );
  }

  /** Passes on what a server tells of one of these. */
  hear(params: Readonly<Record<string, unknown>>): void {
    const { progressToken, progress, total, message } = params;
    const waiting = typeof progressToken === 'number' ? this.#waiting.get(progressToken) : undefined;
    if (typeof progress === 'number') {
      waiting?.onProgress?.({
        progress,
        total: typeof total === 'number' ? total : null,
        message: typeof message === 'string' ? message.slice(0, maxProgressCharacters) : '',
      });
    }
  }

  /** Ends a request whose answer cannot come any more. False where none of these has the number. */
  fail(id: number, why: string): boolean {
    return this.#settle(id, { type: 'unreadable', detail: why });
  }

  /** The connection is over. */
  end(): void {
    this.#isOver = true;
    for (const id of [...this.#waiting.keys()]) {
      this.#settle(id, { type: 'connection-over' });
    }
  }

  #takeBack(id: number): void {
    if (this.#settle(id, { type: 'taken-back' })) {
      const params = { requestId: id, reason: 'The answer is not wanted any more.' };
      this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => undefined);
    }
  }

  #settle(id: number, answer: Answer): boolean {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.settle(answer);
    return waiting !== undefined;
  }
}
