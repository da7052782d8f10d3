import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

export type SpawnOptions = {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
};

/** One client's session, and the process that serves it. */
export type BridgedSession = {
  readonly http: StreamableHTTPServerTransport;
  /** Resolves when the process has ended, whichever side closed. */
  readonly ended: Promise<void>;
  /** Ends both sides. */
  close(): Promise<void>;
};

/** Starts a process and passes messages between it and an HTTP transport until either side ends. */
export async function startBridgedSession(
  http: StreamableHTTPServerTransport,
  { command, args, env }: SpawnOptions,
): Promise<BridgedSession> {
  const child = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'ignore' });
  const inFlight = new RequestsInFlight();
  const close = async (): Promise<void> => {
    await Promise.all([child.close(), http.close()]);
  };
  http.onmessage = (message) => {
    inFlight.noteIncoming(message);
    child.send(message).catch(() => close());
  };
  child.onmessage = (message) => {
    const relatedRequestId = inFlight.requestOf(message);
    inFlight.noteOutgoing(message);
    // Without a stream to the client a message is lost, as on any HTTP server.
    http.send(message, relatedRequestId === undefined ? {} : { relatedRequestId }).catch(() => undefined);
  };
  http.onclose = () => void child.close();
  const ended = new Promise<void>((resolve) => {
    child.onclose = () => {
      void http.close();
      resolve();
    };
  });
  await child.start();
  // The SDK's own types are incompatible with each other under exactOptionalPropertyTypes.
  const started: Pick<Transport, 'start'> = http;
  await started.start();
  return { http, ended, close };
}

/** Finds the request on whose stream a message of the server must travel: stdio has one stream for all. */
class RequestsInFlight {
  /** Progress tokens by the ids of their requests, the oldest first. */
  readonly #tokens = new Map<RequestId, unknown>();

  noteIncoming(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      this.#tokens.set(message.id, message.params?._meta?.progressToken);
    }
  }

  noteOutgoing(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) {
      this.#tokens.delete(message.id);
    }
  }

  requestOf(message: JSONRPCMessage): RequestId | undefined {
    if (!('method' in message)) {
      return message.id;
    }
    const ids = [...this.#tokens.keys()];
    const token = message.method === 'notifications/progress' ? message.params?.['progressToken'] : undefined;
    const asked = token === undefined ? undefined : ids.find((id) => this.#tokens.get(id) === token);
    return asked ?? ids.at(-1);
  }
}
