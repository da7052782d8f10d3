import { Readable } from 'node:stream';
import type { EnvHttpProxyAgent } from 'undici';
import { ConnectionSettingsError } from './connection-failure.ts';
import type { JsonUpload } from './json-upload.ts';
import { OpeningConnections } from './opening-connections.ts';
import { type Proxies, unusableProxy } from './proxies.ts';

export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
};

export type HttpPost = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonUpload;
};

type Sent = {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | Readable | null;
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
   * Resolves when the response begins. Rejects where none comes, with a `ConnectionSettingsError` where none can; an abort closes
   * the connection, whenever it comes.
   */
  post({ url, headers, body }: HttpPost, signal: AbortSignal): Promise<HttpResponse> {
    const sent = {
      method: 'POST' as const,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': String(body.sizeBytes) },
      body: Buffer.isBuffer(body.body) ? body.body : Readable.from(body.body(), { objectMode: false }),
    };
    return this.#send(url, sent, signal);
  }

  /** As `post`, without a body. */
  get({ url, headers }: Omit<HttpPost, 'body'>, signal: AbortSignal): Promise<HttpResponse> {
    return this.#send(url, { method: 'GET', headers, body: null }, signal);
  }

  async #send(url: URL, { headers, ...sent }: Sent, signal: AbortSignal): Promise<HttpResponse> {
    const unusable = unusableProxy(this.#proxies);
    if (unusable !== null) {
      throw new ConnectionSettingsError(unusable);
    }
    const { request, agent } = await this.#open();
    const options = { ...sent, headers: { ...headers, 'accept-encoding': 'identity' }, signal, dispatcher: agent };
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

/** undici knows `*` only where it is alone. */
function exceptions(except: string): string {
  return except.split(/[\s,]+/).includes('*') ? '*' : except;
}
