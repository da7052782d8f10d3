import type { Environment } from '@gemini-mcp/adapters-node';
import { hostNearness } from '@gemini-mcp/core/internal';
import type { Dispatcher } from 'undici';
import { proxiesOf } from '../runners/proxies-of.ts';
import { Lazy } from './load-upstreams-library.ts';

type Opened = { readonly fetch: typeof fetch; readonly close: () => Promise<unknown> };

/**
 * A `fetch` for other servers: unlike Node's it sets no limit on how long a server may be silent. Servers of this machine are asked without a
 * proxy, whatever the environment says.
 */
export class ServerFetch {
  readonly #lazy: Lazy<Opened>;

  constructor(environment: Environment) {
    this.#lazy = new Lazy(() => open(environment));
  }

  readonly fetch: typeof fetch = async (input, init) => await (await this.#lazy.get()).fetch(input, init);

  /** Closes every connection: requests that run end as if they had been dropped. */
  async close(): Promise<void> {
    await (await this.#lazy.opened())?.close();
  }
}

async function open(environment: Environment): Promise<Opened> {
  const { Agent, EnvHttpProxyAgent, fetch: send } = await import('undici');
  const { http, https, except } = proxiesOf(environment);
  const unlimited = { headersTimeout: 0, bodyTimeout: 0 };
  const direct = new Agent(unlimited);
  // Empty, not undefined: then undici would read the variables of the process.
  const proxied = new EnvHttpProxyAgent({
    ...unlimited,
    httpProxy: http ?? '',
    httpsProxy: https ?? '',
    noProxy: except?.split(/[\s,]+/).includes('*') === true ? '*' : (except ?? ''),
  });
  const dispatcher = proxied.compose(
    (dispatch): Dispatcher.Dispatch =>
      (options, handler) =>
        isOfThisMachine(options.origin) ? direct.dispatch(options, handler) : dispatch(options, handler),
  );
  const sendByAgent: unknown = (input: never, init: object | undefined) => send(input, { ...init, dispatcher });
  return {
    fetch: sendByAgent as typeof fetch,
    close: () => Promise.all([direct.destroy(), proxied.destroy()]),
  };
}

function isOfThisMachine(origin: string | URL | undefined): boolean {
  return origin !== undefined && hostNearness(new URL(origin).hostname) === 'this-machine';
}
