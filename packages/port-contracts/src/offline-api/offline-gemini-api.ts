import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ImplicitCache } from './implicit-cache.ts';
import { type ListedModel, listedModels, pageOfModels } from './model-list.ts';
import { refuseRequest } from './refusals/refuse-request.ts';
import { type Delivery, deliverReply, sendJson } from './replies/deliver-reply.ts';
import { describeArrival } from './replies/describe-arrival.ts';
import { apiError } from './replies/error-replies.ts';
import type { CountReply, Reply, ReplyFunction } from './replies/reply.ts';
import { Arrivals } from './requests/arrivals.ts';
import { recordRequest } from './requests/record-request.ts';
import type { RecordedRequest } from './requests/recorded-request.ts';
import { countRequestTokens } from './requests/token-count.ts';

export type OfflineGeminiApiOptions = {
  /** The reply to generation requests. Default: `describeArrival`. */
  readonly reply?: Reply | ReplyFunction;
  /** How many of the newest requests `requests` keeps. Default: all. */
  readonly maxRecorded?: number;
  /**
   * Whether the API has an implicit cache, as Google's has: `usageMetadata` reports the cached part of a request. Default:
   * no cache, because the search takes time with large requests.
   */
  readonly hasImplicitCache?: boolean;
  /** The models of `models.list`. Default: those of the default chains. */
  readonly models?: readonly ListedModel[];
  /** The port on 127.0.0.1. Default: a free one. */
  readonly port?: number;
};

/** An offline Gemini API on a loopback port. */
export type OfflineGeminiApi = {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly url: string;
  /** All requests that arrived, oldest first, including refused and unknown ones. */
  readonly requests: readonly RecordedRequest[];
  /** Replaces the script for the next requests; a function counts from 0 again. */
  reply(next: Reply | ReplyFunction): void;
  /** The reply to requests to count, instead of a count; null to count again. */
  countReply(next: CountReply | null): void;
  /** The settings that lead a server or the Gemini CLI to this API: its address and an invented API key. */
  environment(): Readonly<Record<'GOOGLE_GEMINI_BASE_URL' | 'GEMINI_API_KEY', string>>;
  /** Resolves once `count` requests to generate have arrived since the start. */
  whenRequested(count: number): Promise<void>;
  /** The same for requests to count. */
  whenCounted(count: number): Promise<void>;
  /** Ends every socket, including those of hanging replies, and frees the port. */
  close(): Promise<void>;
};

/** Starts the API. It lives until `close` and keeps the process alive until then. Rejects if the port is taken. */
export async function startOfflineGeminiApi(options: OfflineGeminiApiOptions = {}): Promise<OfflineGeminiApi> {
  const api = new LoopbackGeminiApi(options);
  await api.listen();
  return api;
}

class LoopbackGeminiApi implements OfflineGeminiApi {
  readonly requests: RecordedRequest[] = [];
  readonly #server: Server;
  readonly #maxRecorded: number;
  readonly #models: readonly ListedModel[];
  readonly #port: number;
  // Shaped like a Google key, so that redaction can be tested on it.
  readonly #apiKey = `AIzaFake-_${randomBytes(15).toString('hex').slice(0, 29)}`;
  readonly #closed = new AbortController();
  readonly #cache: ImplicitCache | null;
  #reply: Reply | ReplyFunction;
  #url = '';
  #scriptIndex = 0;
  #countReply: CountReply | null = null;
  readonly #arrivals = { generating: new Arrivals(), counting: new Arrivals() };

  constructor(options: OfflineGeminiApiOptions) {
    this.#reply = options.reply ?? describeArrival;
    this.#maxRecorded = options.maxRecorded ?? Number.POSITIVE_INFINITY;
    this.#models = options.models ?? listedModels;
    this.#port = options.port ?? 0;
    this.#cache = options.hasImplicitCache === true ? new ImplicitCache({ now: () => Date.now() }) : null;
    this.#server = createServer((message, response) => void this.#answer(message, response));
  }

  get url(): string {
    return this.#url;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    this.#url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  }

  reply(next: Reply | ReplyFunction): void {
    this.#reply = next;
    this.#scriptIndex = 0;
  }

  environment(): Readonly<Record<'GOOGLE_GEMINI_BASE_URL' | 'GEMINI_API_KEY', string>> {
    return { GOOGLE_GEMINI_BASE_URL: this.url, GEMINI_API_KEY: this.#apiKey };
  }

  countReply(next: CountReply | null): void {
    this.#countReply = next;
  }

  whenRequested(count: number): Promise<void> {
    return this.#arrivals.generating.whenCame(count);
  }

  whenCounted(count: number): Promise<void> {
    return this.#arrivals.counting.whenCame(count);
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error('The offline Gemini API was closed'));
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const clientGone = new AbortController();
    const over = new AbortController();
    let isEndedByUs = false;
    response.once('close', () => {
      over.abort();
      if (!response.writableFinished && !isEndedByUs && !this.#closed.signal.aborted) {
        clientGone.abort(new Error('The client went away'));
      }
    });
    const cut = (): void => {
      isEndedByUs = true;
      response.destroy();
    };
    const signal = AbortSignal.any([clientGone.signal, this.#closed.signal]);
    try {
      const request = recordRequest(message, await buffer(message), {
        clientGone: clientGone.signal,
        over: over.signal,
      });
      await this.#respond({ request, response, cut }, signal);
    } catch {
      // The client or the whole API is gone: no one is left to answer.
      cut();
    }
  }

  async #respond(exchange: Omit<Delivery, 'reply' | 'cachedTokens'>, signal: AbortSignal): Promise<void> {
    const { request, response } = exchange;
    const isGeneration = request.method === 'generateContent' || request.method === 'streamGenerateContent';
    this.#record(request, isGeneration);
    const refusal = refuseRequest(request);
    if (refusal !== null) {
      return sendJson(response, refusal.status, refusal.body);
    }
    if (isGeneration) {
      const cachedTokens = this.#cache?.take(request) ?? null;
      return deliverReply({ ...exchange, cachedTokens, reply: await this.#nextReply(request) }, signal);
    }
    if (request.method === 'listModels') {
      return sendJson(response, 200, pageOfModels(request, this.#models));
    }
    return this.#countReply === null
      ? sendJson(response, 200, { totalTokens: countRequestTokens(request) })
      : deliverReply({ ...exchange, cachedTokens: null, reply: this.#countReply }, signal);
  }

  #record(request: RecordedRequest, isGeneration: boolean): void {
    this.requests.push(request);
    if (this.requests.length > this.#maxRecorded) {
      this.requests.shift();
    }
    if (isGeneration || request.method === 'countTokens') {
      this.#arrivals[isGeneration ? 'generating' : 'counting'].come();
    }
  }

  async #nextReply(request: RecordedRequest): Promise<Reply> {
    if (typeof this.#reply !== 'function') {
      return this.#reply;
    }
    const index = this.#scriptIndex;
    this.#scriptIndex += 1;
    try {
      return await this.#reply(request, index);
    } catch (error) {
      const message = `The reply script of the test threw: ${error instanceof Error ? error.message : String(error)}`;
      return apiError({ code: 500, message, status: 'INTERNAL' });
    }
  }
}
