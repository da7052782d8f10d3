import { proxiesOf } from '@gemini-mcp/gemini/internal';
import type { EnvHttpProxyAgent } from 'undici';
import type { Environment } from '../settings/setting.ts';
import { Lazy } from './load-hub-library.ts';

type Opened = { readonly fetch: typeof fetch; readonly agent: EnvHttpProxyAgent };

/** No proxy is used for servers of this machine, whatever the environment says. */
const near = ['localhost', '127.0.0.1', '::1'];

/** A `fetch` for other servers: unlike Node's it sets no limit on how long a server may be silent. */
export class ServerFetch {
  readonly #lazy: Lazy<Opened>;

  constructor(environment: Environment) {
    this.#lazy = new Lazy(() => open(environment));
  }

  readonly fetch: typeof fetch = async (input, init) => await (await this.#lazy.get()).fetch(input, init);

  /** Closes every connection: requests that run end as if they had been dropped. */
  async close(): Promise<void> {
    await (await this.#lazy.opened())?.agent.destroy();
  }
}

async function open(environment: Environment): Promise<Opened> {
  const { EnvHttpProxyAgent: Agent, fetch: send } = await import('undici');
  const { http, https, except } = proxiesOf(environment);
  const agent = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    // Empty, not undefined: then undici would read the variables of the process.
    httpProxy: http ?? '',
    httpsProxy: https ?? '',
    noProxy: except?.split(/[\s,]+/).includes('*') === true ? '*' : [...near, except ?? ''].join(','),
  });
  const sendByAgent: unknown = (input: never, init: object | undefined) => send(input, { ...init, dispatcher: agent });
  return { fetch: sendByAgent as typeof fetch, agent };
}
