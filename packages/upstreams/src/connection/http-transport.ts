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

/** The time limit for a server to end its session. */
const goodbyeMs = 2_000;

/** Prepares a transport over HTTP without sending anything. Never rejects. */
export async function openHttp(options: OpenHttpOptions): Promise<TransportOpening> {
  const url = URL.canParse(options.url) ? new URL(options.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    const detail = 'Its URL is not http or https, or contains a name and a password: put these into headers.';
    return { type: 'failed', failure: { kind: 'misconfigured', detail } };
  }
  return { type: 'opened', opened: await new HttpOpening(options, url).open() };
}

/** One connection over HTTP. */
class HttpOpening {
  readonly #options: OpenHttpOptions;
  readonly #url: URL;
  readonly #bounded: BoundedFetch;
  /** Requests whose streams broke off, and whose rest the SDK requests. */
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
          // Answers arrive on this stream: a new stream would be a new session.
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

  /** Waits two turns first: the SDK may still be handling the answer. */
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

/** The system's message: `fetch failed` alone explains nothing. */
function causeOf(error: unknown, said: string): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const words = cause instanceof Error ? cause.message || ('code' in cause ? String(cause.code) : '') : '';
  return describeNetworkFault(words || said.replace(/^SSE error: (?:TypeError: fetch failed: )?/, ''));
}

/** The SDK uses a code below zero for an answer of another content type. */
function readError(code: number, said: string): HttpFault {
  return code > 0 || said.startsWith('Streamable HTTP error:')
    ? describeHttpFault(code, said)
    : { kind: 'refused', sentence: '', said };
}

/** The failure in a server's answer over HTTP. */
export type HttpFault = {
  /** `out-of-order`: the same request may succeed later. */
  readonly kind: 'refused' | 'out-of-order';
  /** Our sentence. */
  readonly sentence: string;
  /** The server's text; empty if it wrote none or an HTML page. */
  readonly said: string;
};

const byStatus: ReadonlyMap<number, string> = new Map([
  [403, 'It refuses access'],
  [404, 'No MCP server answers at its url'],
  [405, 'No MCP server answers at its url'],
  [429, 'It received too many requests'],
  [508, 'It refuses a request loop'],
]);

/** The SDK's text around the server's. */
const around =
  /^(?:Streamable HTTP error: |SSE error: (?:Non-200 status code \(\d+\))?)?(?:Error POSTing to endpoint(?: \(HTTP \d+\))?: ?)?/;

const redirect = /^Redirect to (\S+) not followed/;

/** Describes a request that got an error status, or an answer that is not a message. */
export function describeHttpFault(status: number, message: string): HttpFault {
  const said = message.replace(around, '').trim();
  const target = redirect.exec(said)?.[1];
  if (target !== undefined) {
    const sentence = 'It redirects to another server. If you trust that server, set its url:';
    return { kind: 'refused', sentence, said: target };
  }
  const contentType = /^Unexpected content type: (.*)$/s.exec(said)?.[1];
  if (contentType !== undefined) {
    return { kind: 'refused', sentence: 'Its answer is not an MCP message:', said: contentType };
  }
  const words = byStatus.get(status) ?? (status >= 500 ? 'It is out of order' : 'It refused the request');
  const isPage = said === '' || /^\s*(?:<!doctype|<html|<\?xml)/i.test(said);
  const sentence = `${words} (status ${status})${isPage ? '.' : ':'}`;
  const kind = isPassing(status) ? 'out-of-order' : 'refused';
  return { kind, sentence, said: isPage ? '' : messageIn(said) };
}

/** False for 501, 505 and 508, whose request can never succeed. */
function isPassing(status: number): boolean {
  return status === 429 || (status >= 500 && ![501, 505, 508].includes(status));
}

/** The message in a JSON-RPC or REST error body: the rest is for programs. */
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

/** Replaces system messages that a user cannot act on. */
export function describeNetworkFault(words: string): string {
  if (/wrong version number|packet length too long/.test(words)) {
    return 'it does not use TLS there: its url may have to begin with http://';
  }
  return words.slice(0, 300);
}
