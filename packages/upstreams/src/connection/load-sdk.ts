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
    parseMessage: (value) =>
      isPlainAnswer(value) ? value : (types.JSONRPCMessageSchema.safeParse(value).data ?? null),
    types,
  };
}

/** Whether it is an answer as nearly all are: the schema, which would find it right, tries it as a request first. */
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
