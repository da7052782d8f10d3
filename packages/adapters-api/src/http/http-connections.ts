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
 * Connections over HTTP that stay open for the next request. A response may begin, and go on, after any silence: a model thinks
 * longer than the 300 seconds that Node's own `fetch` waits. Redirects are not followed, for a key would go with them. Nothing is
 * unpacked, so that a small response stays one.
 */
export class HttpConnections {
  readonly #proxies: Proxies;
  readonly #opening = new OpeningConnections();
  #opened: Promise<Opened> | null = null;

  constructor(proxies: Proxies) {
    this.#proxies = proxies;
  }

  /**
   * Sends a request, a POST if it has a body. Resolves when the response begins. Rejects where none comes, with a `ConnectionSettingsError` where none can; an abort closes
   * the connection, whenever it comes.
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

  /** Closes every connection; requests that run end as if they had been dropped. */
  async close(): Promise<void> {
    const opened = await this.#opened;
    await opened?.agent.destroy();
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#load();
    // Loaded again by the next request where the system had no descriptor left for it.
    this.#opened.catch(() => {
      this.#opened = null;
    });
    return this.#opened;
  }

  // With the first request: a server starts without it.
  async #load(): Promise<Opened> {
    const { buildConnector, EnvHttpProxyAgent, Pool, request } = await import('undici');
    const { http, https, except } = this.#proxies;
    const connect = this.#opening.watch(buildConnector({}));
    // Empty texts, because undici reads the variables of the process where it is given nothing.
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

/** undici knows `*` only where it is alone. */
function exceptions(except: string): string {
  return except.split(/[\s,]+/).includes('*') ? '*' : except;
}

/** As many as one request may open, one after the other. A second one is needed where a kept connection was closed in passing. */
const maxConnections = 3;

type Opening = { readonly signal: AbortSignal; connections: number };

/**
 * Bounds what undici does while it opens a connection for a request. It looks at the signal only when the connection is there: a server
 * with which TLS does not come about would hold the request for ten seconds, a proxy that does not answer for five minutes.
 * And it tries for ever where a proxy hangs up, or speaks before it is asked.
 */
class OpeningConnections {
  readonly #running = new AsyncLocalStorage<Opening>();

  /** Does what opens connections. They close with the signal, but only until this resolves: then they may serve another request. */
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
      // It returns the socket, which its types do not say.
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
