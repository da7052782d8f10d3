import type { Client, ClientOptions } from '@modelcontextprotocol/sdk/client/index.js';
import type { Implementation, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** What is used of the SDK for every connection. */
export type Sdk = {
  readonly createClient: (info: Implementation, options: ClientOptions) => Client;
  /** Null for what is no message. */
  readonly parseMessage: (value: unknown) => JSONRPCMessage | null;
  readonly types: typeof import('@modelcontextprotocol/sdk/types.js');
};

let loaded: Promise<Sdk> | undefined;

/** Loads the client side of the SDK when it is first asked: it takes some 100 ms, and many servers never need it. */
export function loadSdk(): Promise<Sdk> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Sdk> {
  const [{ Client }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return {
    createClient: (info, options) => new Client(info, options),
    parseMessage: (value) => types.JSONRPCMessageSchema.safeParse(value).data ?? null,
    types,
  };
}
