import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionFailure } from '@gemini-mcp/core/internal';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type BodyEnd, BoundedFetch } from './bounded-fetch.ts';
import type { OpenedTransport, SendFault, TransportOpening } from './connection.ts';
import { describeTooLong } from './connection-limits.ts';
import { GuardedTransport } from './guarded-transport.ts';

export type OpenHttpOptions = {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly maxMessageBytes: number;
  /** Removes secrets. */
  readonly redact: (text: string) => string;
};

/** How long a server may take to end its session. */
const goodbyeMs = 2_000;

/** Prepares a transport over HTTP; nothing is sent yet. Never rejects. */
export async function openHttp(options: OpenHttpOptions): Promise<TransportOpening> {
  const url = URL.canParse(options.url) ? new URL(options.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    const detail =
      'Its address is not one of http or https, or has a name and a password in it: these go into headers.';
    return { type: 'failed', failure: { kind: 'misconfigured', detail } };
  }
  return { type: 'opened', opened: await new HttpOpening(options, url).open() };
}

/** One connection over HTTP. */
class HttpOpening {
  readonly #options: OpenHttpOptions;
  readonly #url: URL;
  readonly #bounded: BoundedFetch;
  /** Requests whose streams broke off, and whose rest the SDK asks for. */
  readonly #resuming = new Set<number>();
  #challenge = '';
  #transport: GuardedTransport | undefined;
  #failure: ConnectionFailure = { kind: 'ended', detail: 'The server has closed the connection.' };

  constructor(options: OpenHttpOptions, url: URL) {
    this.#options = options;
    this.#url = url;
    const { type, fetch, maxMessageBytes } = options;
    const isStreamable = type === 'http';
    this.#bounded = new BoundedFetch({
      fetch,
      maxMessageBytes,
      reopens: isStreamable,
      onStatus: (status, challenge) => {
        this.#challenge = status === 401 ? challenge : this.#challenge;
      },
      onAnswerEnd: (request, end) => isStreamable && this.#endAnswer(request, end),
      onChannelEnd: () => {
        if (!isStreamable) {
          // Its answers came down this stream: a new one is a new session.
          void this.#transport?.close();
        }
      },
      onGiveUp: () => this.#giveUp(),
      onFlood: (what) => this.#transport?.endFlood(what),
    });
  }

  async open(): Promise<OpenedTransport> {
    const { inner, sayGoodbye } = await this.#createTransport();
    const transport = new GuardedTransport(inner, (request) => this.#bounded.drop(request));
    this.#transport = transport;
    return {
      transport,
      whyOver: async () => this.#failure,
      strayWords: () => '',
      readFault: (error) => this.#readFault(error, transport.sessionId !== undefined),
      end: async (isLost) => {
        if (!isLost) {
          await sayGoodbye();
        }
        await transport.close();
      },
    };
  }

  async #createTransport(): Promise<{ readonly inner: Transport; readonly sayGoodbye: () => Promise<void> }> {
    const { fetch } = this.#bounded;
    const requestInit = { headers: { ...this.#options.headers } };
    if (this.#options.type === 'sse') {
      const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
      return { inner: new SSEClientTransport(this.#url, { fetch, requestInit }), sayGoodbye: async () => undefined };
    }
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const inner = new StreamableHTTPClientTransport(this.#url, { fetch, requestInit });
    inner.onerror = (error) => /^Maximum reconnection attempts/.test(error.message) && this.#giveUp();
    const sayGoodbye = async (): Promise<void> => {
      const over = new AbortController();
      const late = delay(goodbyeMs, undefined, over).catch(() => undefined);
      await Promise.race([inner.terminateSession().catch(() => undefined), late]);
      over.abort();
    };
    return { inner, sayGoodbye };
  }

  /** The answer may still be on its way through the SDK, which is done with it before the next turns. */
  #endAnswer(request: number, { hadIds, exceededBytes }: BodyEnd): void {
    if (exceededBytes !== null) {
      this.#transport?.failRequest(request, describeTooLong(exceededBytes));
      return;
    }
    if (hadIds) {
      this.#resuming.add(request);
      return;
    }
    setImmediate(() => setImmediate(() => this.#transport?.failRequest(request, brokenOff)));
  }

  #giveUp(): void {
    for (const request of this.#resuming) {
      this.#transport?.failRequest(request, brokenOff);
    }
    this.#resuming.clear();
  }

  #readFault(error: unknown, hasSession: boolean): SendFault {
    const status = error instanceof Error && 'code' in error ? error.code : undefined;
    const said = this.#options.redact(error instanceof Error ? error.message : String(error));
    if (status === 401) {
      return { type: 'login-wanted', challenge: this.#challenge };
    }
    if (status === 404 && hasSession) {
      this.#failure = { kind: 'ended', detail: 'The server has forgotten the session.' };
      return { type: 'lost', failure: this.#failure, wasSent: false };
    }
    if (typeof status === 'number') {
      return { type: 'error', ...readError(status, said) };
    }
    this.#failure = {
      kind: 'unreachable',
      detail: `It could not be reached: ${this.#options.redact(causeOf(error, said))}.`,
    };
    return { type: 'lost', failure: this.#failure, wasSent: true };
  }
}

const brokenOff = 'The answer broke off.';

/** The system's words: `fetch failed` says nothing. */
function causeOf(error: unknown, said: string): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const words = cause instanceof Error ? cause.message || ('code' in cause ? String(cause.code) : '') : '';
  return describeNetworkFault(words || said.replace(/^SSE error: (?:TypeError: fetch failed: )?/, ''));
}

/** The SDK's own code for an answer of another type is below zero. */
function readError(code: number, said: string): HttpFault {
  return code > 0 || said.startsWith('Streamable HTTP error:')
    ? describeHttpFault(code, said)
    : { kind: 'refused', sentence: '', said };
}

/** What a server on the network answered in place of a message. */
export type HttpFault = {
  /** `out-of-order`: it may answer the same request later. */
  readonly kind: 'refused' | 'out-of-order';
  /** A sentence of ours. */
  readonly sentence: string;
  /** Its own words; empty if it wrote none, or a page for browsers. */
  readonly said: string;
};

const byStatus: ReadonlyMap<number, string> = new Map([
  [403, 'It refuses access'],
  [404, 'There is no MCP server at its url'],
  [405, 'There is no MCP server at its url'],
  [429, 'It was asked too often'],
  [508, 'It refuses to ask in circles'],
]);

/** The SDK's words around those of the server. */
const around =
  /^(?:Streamable HTTP error: |SSE error: (?:Non-200 status code \(\d+\))?)?(?:Error POSTing to endpoint(?: \(HTTP \d+\))?: ?)?/;

const redirect = /^Redirect to (\S+) not followed/;

/** Reads the error of a request that was answered with a status of failure, or with something else than a message. */
export function describeHttpFault(status: number, message: string): HttpFault {
  const said = message.replace(around, '').trim();
  const target = redirect.exec(said)?.[1];
  if (target !== undefined) {
    const sentence = 'It sends requests on to another server. If you trust that one, give its url:';
    return { kind: 'refused', sentence, said: target };
  }
  const contentType = /^Unexpected content type: (.*)$/s.exec(said)?.[1];
  if (contentType !== undefined) {
    return { kind: 'refused', sentence: 'It answered with something else than a message of MCP:', said: contentType };
  }
  const words = byStatus.get(status) ?? (status >= 500 ? 'It is out of order' : 'It refused the request');
  const isPage = said === '' || /^\s*(?:<!doctype|<html|<\?xml)/i.test(said);
  const sentence = `${words} (status ${status})${isPage ? '.' : ':'}`;
  const kind = isPassing(status) ? 'out-of-order' : 'refused';
  return { kind, sentence, said: isPage ? '' : messageIn(said) };
}

/** 501, 505 and 508 say that this request will never be answered. */
function isPassing(status: number): boolean {
  return status === 429 || (status >= 500 && ![501, 505, 508].includes(status));
}

/** The message alone of a body that is an error of JSON-RPC or REST: the rest is for programs. */
function messageIn(said: string): string {
  try {
    const body: unknown = JSON.parse(said);
    const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
    const words = typeof error === 'object' && error !== null && 'message' in error ? error.message : null;
    return typeof words === 'string' && words.trim() !== '' ? words : said;
  } catch {
    return said;
  }
}

/** Replaces words of the system that a user cannot act on. */
export function describeNetworkFault(words: string): string {
  if (/wrong version number|packet length too long/.test(words)) {
    return 'it does not speak TLS there: its url may have to begin with http://';
  }
  return words.slice(0, 300);
}
