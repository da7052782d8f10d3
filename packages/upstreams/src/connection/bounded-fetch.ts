import type { ReadingPace } from '@gemini-mcp/core/internal';
import { MinuteCount } from './minute-count.ts';
import { createReadingPace, untilHandled } from './reading-pace.ts';

export type BoundedFetchOptions = {
  readonly fetch: typeof fetch;
  readonly maxMessageBytes: number;
  /** The answer to this request ended or broke off. If its events had ids, the SDK asks for the rest. */
  readonly onAnswerEnd: (request: number, end: BodyEnd) => void;
  /** The stream that belongs to no request ended or broke off. */
  readonly onChannelEnd: () => void;
  /** The SDK no longer asks for the rest of broken streams. */
  readonly onGiveUp: () => void;
  /** The server sent more than `what` within a minute. */
  readonly onFlood: (what: string) => void;
  /** A status other than success: the server forgot the session, or requires a login. */
  readonly onStatus: (status: number, challenge: string) => void;
  /** Whether to reopen streams that belong to no request when they break off. */
  readonly reopens: boolean;
};

/** Errors quote a line or two of an error page. */
const maxErrorBytes = 64_000;

/** Broken streams are reopened, but not as fast as a server can break them. */
const maxOpenings = 6;
const openingsPerMs = 60_000;

/** Counts events and comments of all streams of a server: reading them takes time even if they carry no message. */
const maxEventsPerMinute = 100_000;

const maxChallengeCharacters = 2_000;

/**
 * A bounded `fetch` for the SDK's transports: on their own they read any body to its end, reopen a stream as often as it breaks off, and wait for
 * the rest of an answer that cannot come.
 */
export class BoundedFetch {
  readonly #options: BoundedFetchOptions;
  readonly #running = new Map<number, AbortController>();
  readonly #pace: ReadingPace = createReadingPace();
  readonly #events: MinuteCount = new MinuteCount();
  #answers: Promise<void> = Promise.resolve();
  #openings: number[] = [];

  constructor(options: BoundedFetchOptions) {
    this.#options = options;
  }

  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response> = async (url, init = {}) => {
    const isChannel = (init.method ?? 'GET') === 'GET';
    if (isChannel && !this.#mayOpen()) {
      this.#options.onGiveUp();
      // The SDK takes 405 for a server without such a stream; an event source takes 204 for its end.
      return new Response(null, { status: this.#options.reopens ? 405 : 204 });
    }
    const { request, isAnswer } = readSent(init.body);
    if (isAnswer) {
      await this.#untilAnswerMayGo();
    }
    const ending = new AbortController();
    if (request !== null) {
      this.#running.set(request, ending);
    }
    const signal = init.signal ? AbortSignal.any([init.signal, ending.signal]) : ending.signal;
    try {
      return this.#bound(await this.#options.fetch(url, { ...init, signal }), { request, isChannel });
    } catch (error) {
      this.#forget(request);
      throw error;
    }
  };

  /** Closes the stream that answers a cancelled request. */
  drop(request: number): void {
    this.#running.get(request)?.abort();
    this.#running.delete(request);
  }

  #bound(response: Response, { request, isChannel }: Asked): Response {
    const { maxMessageBytes, onStatus, onAnswerEnd, onChannelEnd } = this.#options;
    if (!response.ok) {
      onStatus(response.status, (response.headers.get('www-authenticate') ?? '').slice(0, maxChallengeCharacters));
    }
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    const body = limitBody(response.body, {
      maxBytes: response.ok ? maxMessageBytes : maxErrorBytes,
      isStream,
      pace: this.#pace,
      onEvent: () => {
        if (this.#events.add() > maxEventsPerMinute) {
          this.#options.onFlood(`${maxEventsPerMinute} events`);
        }
      },
      onEnd: (end) => {
        this.#forget(request);
        if (request !== null && response.ok) {
          onAnswerEnd(request, end);
        }
        if (isChannel && response.ok) {
          onChannelEnd();
        }
      },
    });
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  }

  /** Sends answers one at a time while the reading pauses: over HTTP each answer is a request, which costs more than the question. */
  async #untilAnswerMayGo(): Promise<void> {
    this.#answers = this.#answers.then(() => (this.#pace.isSpent ? this.#pace.rest() : undefined));
    await this.#answers;
  }

  #forget(request: number | null): void {
    if (request !== null) {
      this.#running.delete(request);
    }
  }

  #mayOpen(): boolean {
    const now = performance.now();
    this.#openings = this.#openings.filter((atMs) => now - atMs < openingsPerMs);
    if (this.#openings.length >= (this.#options.reopens ? maxOpenings : 1)) {
      return false;
    }
    this.#openings.push(now);
    return true;
  }
}

type Asked = { readonly request: number | null; readonly isChannel: boolean };

type Sent = { readonly request: number | null; readonly isAnswer: boolean };

/** `request` is the id of the request in a body, or null. */
function readSent(body: unknown): Sent {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : null;
  if (typeof message !== 'object' || message === null || !('id' in message)) {
    return { request: null, isAnswer: false };
  }
  const isAnswer = !('method' in message);
  return { request: !isAnswer && typeof message.id === 'number' ? message.id : null, isAnswer };
}

export type BodyLimits = {
  /** For the whole body; for a stream, per event. */
  readonly maxBytes: number;
  /** Shared by all bodies of this server. */
  readonly pace: ReadingPace;
  readonly isStream: boolean;
  /** Called at the end of each event or comment of a stream. */
  readonly onEvent: () => void;
  /** Called once when the body ends, fails or is cancelled, before its reader sees the end. */
  readonly onEnd: (end: BodyEnd) => void;
};

export type BodyEnd = {
  /** Whether events of the stream had ids. */
  readonly hadIds: boolean;
  /** The limit that the body exceeded, or null. */
  readonly exceededBytes: number | null;
};

const lineFeed = 0x0a;
const openBracket = 0x5b;

/** Passes bodies on in pieces of this size: handling one takes no longer than a slice of the pace. */
const pieceBytes = 16_384;

/** The limit of a batch (an older protocol revision): the SDK handles all its messages in one go. */
const maxBatchBytes = 256_000;

/** The length of `id:`. */
const headBytes = 3;

/** Wraps a body so that it fails beyond its limit, keeps to the pace, and reports its end. Null stays null. */
export function limitBody(
  body: ReadableStream<Uint8Array> | null,
  limits: BodyLimits,
): ReadableStream<Uint8Array> | null {
  if (body === null) {
    limits.onEnd({ hadIds: false, exceededBytes: null });
    return null;
  }
  const reader = body.getReader();
  const meter = new Meter(limits);
  let rest: Uint8Array = new Uint8Array();
  let isOver = false;
  const end = (): void => {
    if (!isOver) {
      isOver = true;
      limits.onEnd(meter);
    }
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (limits.pace.isSpent) {
          await limits.pace.rest();
        }
        const { done, value } = rest.length > 0 ? { done: false, value: rest } : await reader.read();
        const begunAtMs = performance.now();
        if (done) {
          end();
          controller.close();
        } else {
          const piece = value.subarray(0, pieceBytes);
          rest = value.subarray(pieceBytes);
          meter.take(piece);
          controller.enqueue(piece);
        }
        await untilHandled();
        limits.pace.count(begunAtMs);
      } catch (error) {
        end();
        controller.error(error);
        await reader.cancel(error).catch(() => undefined);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason).catch(() => undefined);
    },
  });
}

/** Counts the bytes of the body, or of the current event of a stream. */
class Meter {
  readonly #limits: BodyLimits;
  #bytes = 0;
  #lineBytes = 0;
  #lineHead = '';
  #maxBytes: number;
  #hasBegun = false;
  hadIds = false;
  exceededBytes: number | null = null;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#maxBytes = limits.maxBytes;
  }

  /** Throws beyond the limit. */
  take(chunk: Uint8Array): void {
    if (!this.#hasBegun && !this.#limits.isStream) {
      this.#begin(chunk);
    }
    let start = 0;
    if (this.#limits.isStream) {
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        this.#hold(chunk.subarray(start, end));
        this.#endLine();
        start = end + 1;
      }
    }
    this.#hold(chunk.subarray(start));
  }

  /** Lowers the limit if the first character begins a list. */
  #begin(chunk: Uint8Array): void {
    const first = chunk.find((byte) => byte > 0x20);
    this.#hasBegun = first !== undefined;
    if (first === openBracket) {
      this.#maxBytes = Math.min(this.#maxBytes, maxBatchBytes);
    }
  }

  #hold(piece: Uint8Array): void {
    this.#bytes += piece.length;
    this.#lineBytes += piece.length;
    if (this.#lineHead.length < headBytes) {
      this.#lineHead += String.fromCharCode(...piece.subarray(0, headBytes - this.#lineHead.length));
    }
    if (this.#bytes > this.#maxBytes) {
      this.exceededBytes = this.#maxBytes;
      throw new Error(`The answer is longer than ${this.#maxBytes} bytes`);
    }
  }

  #endLine(): void {
    if (this.#lineBytes === 0 || (this.#lineBytes === 1 && this.#lineHead === '\r')) {
      this.#bytes = 0;
      this.#limits.onEvent();
    }
    this.hadIds ||= this.#lineHead === 'id:';
    this.#lineBytes = 0;
    this.#lineHead = '';
  }
}
