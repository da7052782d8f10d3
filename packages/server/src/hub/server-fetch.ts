import { proxiesOf } from '@gemini-mcp/gemini/internal';
import type { EnvHttpProxyAgent } from 'undici';
import type { Environment } from '../settings/environment.ts';

type Opened = { readonly fetch: typeof fetch; readonly agent: EnvHttpProxyAgent };

/** Servers of this machine are reached without a proxy, whatever the environment says. */
const near = ['localhost', '127.0.0.1', '::1'];

/** How requests go to other servers: without a limit of its own on how long a server may be silent, which Node's `fetch` has. */
export class ServerFetch {
  readonly #environment: Environment;
  #opened: Promise<Opened> | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    this.#opened ??= this.#open();
    const opened = await this.#opened;
    return await opened.fetch(input, init);
  };

  /** Closes every connection: requests that run end as if they had been dropped. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.agent.destroy();
  }

  /** Loading can fail for want of descriptors: the next request tries again. */
  async #open(): Promise<Opened> {
    try {
      return await this.#load();
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async #load(): Promise<Opened> {
    const { EnvHttpProxyAgent: Agent, fetch: send } = await import('undici');
    const { http, https, except } = proxiesOf(this.#environment);
    const agent = new Agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      // Empty texts, because undici reads the variables of the process where it is given nothing.
      httpProxy: http ?? '',
      httpsProxy: https ?? '',
      noProxy: except?.split(/[\s,]+/).includes('*') === true ? '*' : [...near, except ?? ''].join(','),
    });
    const sendByAgent: unknown = (input: never, init: object | undefined) =>
      send(input, { ...init, dispatcher: agent });
    return { fetch: sendByAgent as typeof fetch, agent };
  }
}
