import type { ConnectionFailure } from '@gemini-mcp/core/internal';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { BoundedFetch } from './bounded-fetch.ts';
import { describeHttpFault, describeNetworkFault, type HttpFault } from './describe-http-fault.ts';
import { describeTooLong } from './describe-too-long.ts';
import { GuardedTransport } from './guarded-transport.ts';
import type { BodyEnd } from './limit-body.ts';
import type { OpenedTransport, TransportOpening } from './open-stdio.ts';
import type { SendFault } from './server-connection.ts';

export type OpenHttpOptions = {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly maxMessageBytes: number;
};

/** How long a server may take to hear that its session is over. */
const goodbyeMs = 2_000;

/** Prepares to speak with a server over HTTP: nothing is sent yet. Never rejects. */
export async function openHttp(options: OpenHttpOptions): Promise<TransportOpening> {
  const url = URL.canParse(options.url) ? new URL(options.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    const detail =
      'Its address is not one of http or https, or has a name and a password in it: these go into headers.';
    return { type: 'failed', failure: { kind: 'misconfigured', detail } };
  }
  return { type: 'opened', opened: await new HttpOpening(options, url).open() };
}

/** What is known of one connection over HTTP. */
class HttpOpening {
  readonly #options: OpenHttpOptions;
  readonly #url: URL;
  readonly #bounded: BoundedFetch;
  /** Requests whose streams have broken off, and of which the SDK asks for the rest. */
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
      strayWords: () => null,
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
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, goodbyeMs);
      });
      await Promise.race([inner.terminateSession().catch(() => undefined), late]);
      clearTimeout(timer);
    };
    return { inner, sayGoodbye };
  }

  /** The answer may still be on its way through the SDK, which needs no more than what is done before the next turns. */
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
    const said = error instanceof Error ? error.message : String(error);
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
    this.#failure = { kind: 'unreachable', detail: `It could not be reached: ${causeOf(error, said)}.` };
    return { type: 'lost', failure: this.#failure, wasSent: true };
  }
}

const brokenOff = 'The answer broke off.';

/** What the system says: `fetch failed` says nothing. */
function causeOf(error: unknown, said: string): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const words = cause instanceof Error ? cause.message || ('code' in cause ? String(cause.code) : '') : '';
  return describeNetworkFault(words || said.replace(/^SSE error: (?:TypeError: fetch failed: )?/, ''));
}

/** Codes of JSON-RPC are below zero, and so is the SDK's own for an answer of another type. */
function readError(code: number, said: string): HttpFault {
  return code > 0 || said.startsWith('Streamable HTTP error:')
    ? describeHttpFault(code, said)
    : { kind: 'refused', sentence: '', said: said.replace(/^MCP error -?\d+: /, '') };
}
