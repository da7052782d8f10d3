import type { ReadingPace } from '@gemini-mcp/core/internal';
import { createReadingPace } from './create-reading-pace.ts';
import { type BodyEnd, limitBody } from './limit-body.ts';
import { MinuteCount } from './minute-count.ts';

export type BoundedFetchOptions = {
  readonly fetch: typeof fetch;
  readonly maxMessageBytes: number;
  /** The body that answers this request is over, or broken off. Where its events had ids, the SDK asks for the rest. */
  readonly onAnswerEnd: (request: number, end: BodyEnd) => void;
  /** The stream that is not of one request is over, or broken off. */
  readonly onChannelEnd: () => void;
  /** The rest of streams that have broken off is not asked for any more. */
  readonly onGiveUp: () => void;
  /** The server sent more than `what` within a minute. */
  readonly onFlood: (what: string) => void;
  /** Tells the session that the server has forgotten, or the login that it wants. */
  readonly onStatus: (status: number, challenge: string) => void;
  /** Whether streams that are not of one request may be opened again when they break off. */
  readonly reopens: boolean;
};

/** Error pages are quoted in a line or two. */
const maxErrorBytes = 64_000;

/** Streams that break off are opened again, but not as fast as a server can break them off. */
const maxOpenings = 6;
const openingsPerMs = 60_000;

/** Of all streams of a server. Comments and events that are no messages take time to read as well. */
const maxEventsPerMinute = 100_000;

const maxChallengeCharacters = 2_000;

/**
 * A `fetch` for the SDK's transports, which read any body to its end, open streams that break off as often as the server likes, and wait for
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
      // The SDK takes it for a server that has no such stream, and an event source for the end of it.
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

  /** Closes the stream that answers a request, whose answer is no longer wanted. */
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

  /** One after the other while the server is read with pauses: each is a request over HTTP, which costs more than the question did. */
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

/** `request` is the number of the request that a body brings; null where it brings none. */
function readSent(body: unknown): Sent {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : null;
  if (typeof message !== 'object' || message === null || !('id' in message)) {
    return { request: null, isAnswer: false };
  }
  const isAnswer = !('method' in message);
  return { request: !isAnswer && typeof message.id === 'number' ? message.id : null, isAnswer };
}
