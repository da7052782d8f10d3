import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { buildConnector, EnvHttpProxyAgent } from 'undici';
import type { JsonUpload } from '../json-upload.ts';
import { ConnectionSettingsError } from './connection-failure.ts';
import { type Proxies, unusableProxy } from './proxies.ts';

export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
};

export type HttpRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonUpload;
};

type Opened = { readonly request: typeof import('undici').request; readonly agent: EnvHttpProxyAgent };

/**
 * HTTP connections that stay open for the next request. A response may begin, and go on, after any silence: a model thinks longer than
 * the 300 seconds that Node's own `fetch` waits. Does not follow redirects, which would receive the key. Does not decompress, so that a
 * small response stays small.
 */
export class HttpConnections {
  readonly #proxies: Proxies;
  readonly #opening = new OpeningConnections();
  #opened: Promise<Opened> | null = null;

  constructor(proxies: Proxies) {
    this.#proxies = proxies;
  }

  /**
   * Sends a request, a POST if it has a body. Resolves when the response begins. Rejects if the request fails, with a
   * `ConnectionSettingsError` if none can succeed; an abort closes the connection at any time.
   */
  async send({ url, headers, body }: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const unusable = unusableProxy(this.#proxies);
    if (unusable !== null) {
      throw new ConnectionSettingsError(unusable);
    }
    const { request, agent } = await this.#open();
    const options = {
      ...(body === undefined ? { method: 'GET' as const } : sentBody(body)),
      headers: { ...headers, 'accept-encoding': 'identity', ...(body !== undefined && headersOf(body)) },
      signal,
      dispatcher: agent,
    };
    const response = await this.#opening.until(() => request(url, options), signal);
    return { status: response.statusCode, headers: response.headers, body: response.body };
  }

  /** Closes every connection; current requests fail as if their connections had been dropped. */
  async close(): Promise<void> {
    const opened = await this.#opened;
    await opened?.agent.destroy();
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#load();
    // The next request loads it again if the system had no descriptor left.
    this.#opened.catch(() => {
      this.#opened = null;
    });
    return this.#opened;
  }

  // Loaded with the first request: a server starts without it.
  async #load(): Promise<Opened> {
    const { buildConnector, EnvHttpProxyAgent, Pool, request } = await import('undici');
    const { http, https, except } = this.#proxies;
    const connect = this.#opening.watch(buildConnector({}));
    // Empty texts, because undici reads the variables of the process if these are missing.
    const agent = new EnvHttpProxyAgent({
      headersTimeout: 0,
      bodyTimeout: 0,
      httpProxy: http ?? '',
      httpsProxy: https ?? '',
      noProxy: exceptions(except ?? ''),
      connect,
      clientFactory: (proxy: URL) => new Pool(proxy, { connect }),
    });
    return { request, agent };
  }
}

function sentBody({ body }: JsonUpload): { readonly method: 'POST'; readonly body: Buffer | Readable } {
  return { method: 'POST', body: Buffer.isBuffer(body) ? body : Readable.from(body(), { objectMode: false }) };
}

function headersOf({ sizeBytes }: JsonUpload): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', 'content-length': String(sizeBytes) };
}

/** undici supports `*` only as the whole value. */
function exceptions(except: string): string {
  return except.split(/[\s,]+/).includes('*') ? '*' : except;
}

/** The most connections that one request may open, one after the other. It needs a second one if a kept connection was just closed. */
const maxConnections = 3;

type Opening = { readonly signal: AbortSignal; connections: number };

/**
 * Bounds undici while it opens a connection for a request. It checks the signal only once the connection is open: a server whose TLS
 * handshake fails would hold the request for ten seconds, a proxy that does not answer for five minutes. And it retries for ever if a
 * proxy hangs up, or speaks first.
 */
class OpeningConnections {
  readonly #running = new AsyncLocalStorage<Opening>();

  /**
   * Runs an action that opens connections. They close with the signal, but only until this resolves: then they may serve another request.
   */
  async until<Result>(open: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const opening = new AbortController();
    const abort = (): void => opening.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await this.#running.run({ signal: opening.signal, connections: 0 }, open);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** A connector of undici's with these bounds. */
  watch(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      const opening = this.#running.getStore();
      if (opening === undefined) {
        return connect(options, callback);
      }
      opening.connections += 1;
      if (opening.connections > maxConnections) {
        return callback(new Error('The connection was closed each time it was opened'), null);
      }
      // It returns the socket, which its types omit.
      const socket: unknown = connect(options, callback);
      if (isSocket(socket)) {
        const destroy = (): void =>
          socket.destroy(new Error('The request was aborted while its connection was opened'));
        opening.signal.addEventListener('abort', destroy, { once: true });
      }
    };
  }
}

function isSocket(value: unknown): value is { destroy(error: Error): void } {
  return typeof value === 'object' && value !== null && 'destroy' in value && typeof value.destroy === 'function';
}
