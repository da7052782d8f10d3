import type { Client, ClientOptions } from '@modelcontextprotocol/sdk/client/index.js';
import type { Implementation, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** The parts of the SDK that every connection uses. */
export type Sdk = {
  readonly createClient: (info: Implementation, options: ClientOptions) => Client;
  /** Returns null for a value that is not a message. */
  readonly parseMessage: (value: unknown) => JSONRPCMessage | null;
  readonly types: typeof import('@modelcontextprotocol/sdk/types.js');
};

let loaded: Promise<Sdk> | undefined;

/** Loads the SDK's client on first use: it takes about 100 ms, and many servers never need it. */
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
    parseMessage: (value) =>
      isPlainAnswer(value) ? value : (types.JSONRPCMessageSchema.safeParse(value).data ?? null),
    types,
  };
}

/** A fast path for answers: the schema would accept one only after trying it as a request. */
function isPlainAnswer(value: unknown): value is JSONRPCMessage {
  return (
    isObject(value) &&
    value['jsonrpc'] === '2.0' &&
    Number.isSafeInteger(value['id']) &&
    isObject(value['result']) &&
    !('_meta' in value['result']) &&
    Object.keys(value).length === 3
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
