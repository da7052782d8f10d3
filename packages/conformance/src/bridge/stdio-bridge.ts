import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Revision } from '../run-conformance.ts';
import { type BridgedSession, type SpawnOptions, startBridgedSession } from './bridged-session.ts';
import { isLocal } from './is-local.ts';
import { listenForSuite } from './listen.ts';
import { type SharedProcess, startSharedProcess } from './shared-process.ts';

/** How to start the server: a process for each session of a client, and one for all requests of the revisions without sessions. */
export type StdioBridgeOptions = SpawnOptions;

export type StdioBridge = {
  /** The server's Streamable HTTP address, on the loopback interface. */
  readonly url: string;
  /** Ends the sessions with their processes, and stops listening. */
  close(): Promise<void>;
};

/**
 * Serves a stdio server over Streamable HTTP, for test suites that support nothing else. It adds sessions, and rejects foreign hosts and
 * origins; every other answer is the server's own.
 */
export async function startStdioBridge(options: StdioBridgeOptions): Promise<StdioBridge> {
  const state: BridgeState = { options, sessions: new Map(), shared: null };
  const server = createServer((request, response) => {
    answer(request, response, state).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  const port = await listenForSuite(server);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      await Promise.all([...[...state.sessions.values()].map((session) => session.close()), state.shared?.close()]);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const revisionWithoutSessions: Revision = '2026-07-28';

type BridgeState = {
  readonly options: StdioBridgeOptions;
  readonly sessions: Map<string, BridgedSession>;
  shared: SharedProcess | null;
};

async function answer(request: IncomingMessage, response: ServerResponse, state: BridgeState): Promise<void> {
  if (!isLocal(request)) {
    refuse(response, 403, 'Foreign host or origin');
    return;
  }
  const body = request.method === 'POST' ? await json(request).catch(() => undefined) : undefined;
  const isLegacy = request.headers['mcp-session-id'] !== undefined || isInitializeRequest(body);
  if (body === undefined || (isLegacy && request.headers['mcp-protocol-version'] !== revisionWithoutSessions)) {
    await answerInSession({ request, response, body }, state);
  } else {
    state.shared ??= startSharedProcess(state.options);
    state.shared.forward(body, response);
  }
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly body: unknown };

async function answerInSession({ request, response, body }: Exchange, state: BridgeState): Promise<void> {
  const sessionId = request.headers['mcp-session-id'];
  const session = typeof sessionId === 'string' ? state.sessions.get(sessionId) : undefined;
  if (session !== undefined) {
    if (request.method === 'GET') {
      // A client that disconnects closes the stream that it kept open.
      response.on('close', () => void session.close());
    }
    await session.http.handleRequest(request, response, body);
  } else if (sessionId !== undefined) {
    refuse(response, 404, 'Unknown session');
  } else if (isInitializeRequest(body)) {
    const http = await openSession(state);
    await http.handleRequest(request, response, body);
  } else {
    refuse(response, 400, 'A session begins with initialize');
  }
}

async function openSession({ options, sessions }: BridgeState): Promise<StreamableHTTPServerTransport> {
  const http = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => globalThis.crypto.randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, session),
  });
  const session = await startBridgedSession(http, options);
  void session.ended.then(() => sessions.delete(http.sessionId ?? ''));
  return http;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }));
}
