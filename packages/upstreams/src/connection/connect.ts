import type { Clock } from '@gemini-mcp/core';
import {
  type ConnectionFailure,
  quoteStrangers,
  type ServerProcesses,
  type ServerTransport,
} from '@gemini-mcp/core/internal';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { abortAfter } from './abort-after.ts';
import { Connection, longestMs, type OpenedTransport, readOwnError, type TransportOpening } from './connection.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { openHttp } from './http-transport.ts';
import { loadSdk, type Sdk } from './load-sdk.ts';
import { openProcess } from './process-transport.ts';
import { answerServerRequests, capabilitiesOf, type ServerRequestAnswers } from './server-requests.ts';

/** The ports and limits for connecting to servers. */
export type ConnectionDependencies = {
  readonly clock: Clock;
  readonly processes: ServerProcesses;
  readonly limits: ConnectionLimits;
  /** This program's name and version, as servers see them. */
  readonly client: { readonly name: string; readonly version: string };
};

export type ConnectOptions = ConnectionDependencies &
  ServerRequestAnswers & {
    /** The server's name in the user's settings. */
    readonly name: string;
    readonly transport: ServerTransport;
    /** Must not limit how long a body may be silent: calls take minutes. */
    readonly fetch: typeof fetch;
    /** Removes secrets. */
    readonly redact: (text: string) => string;
    /** One of the server's lists changed. May be called any number of times. */
    readonly onListChanged: () => void;
    /** The server sent a log message. */
    readonly onLog: (level: string, data: unknown) => void;
    /** The server asked its user a question, or the question ended. */
    readonly onQuestion: (isOpen: boolean) => void;
  };

type ConnectOutcome =
  | { readonly type: 'open'; readonly connection: Connection }
  | { readonly type: 'failed'; readonly failure: ConnectionFailure }
  | { readonly type: 'login-wanted'; readonly challenge: string }
  /** Aborted. */
  | { readonly type: 'ended' };

export type ConnectAttempt = {
  readonly outcome: ConnectOutcome;
  /** Resolves once a failed attempt is cleaned up: calls need not wait for a process to end. */
  readonly ending: Promise<void>;
};

/** Connects to a server, within `connectMs`. Never rejects. */
export async function connect(options: ConnectOptions, signal: AbortSignal): Promise<ConnectAttempt> {
  const late = abortAfter(options.clock, options.limits.connectMs);
  try {
    const sdk = await loadSdk();
    const patience = { signal, trying: AbortSignal.any([signal, late.signal]) };
    const { type } = options.transport;
    const first = await attempt(options, { sdk, httpType: type === 'sse' ? 'sse' : 'http' }, patience);
    // A server without Streamable HTTP may answer anything. A silent server is not an older one.
    if (type !== 'either' || first.outcome.type !== 'failed' || patience.trying.aborted) {
      return first;
    }
    const second = await attempt(options, { sdk, httpType: 'sse' }, patience);
    return second.outcome.type === 'failed' ? first : second;
  } finally {
    late.cancel();
  }
}

type AttemptDependencies = { readonly sdk: Sdk; readonly httpType: 'http' | 'sse' };

type Patience = {
  /** The caller's signal. */
  readonly signal: AbortSignal;
  /** Aborts with `signal`, or when the time to connect is up. */
  readonly trying: AbortSignal;
};

async function attempt(
  options: ConnectOptions,
  { sdk, httpType }: AttemptDependencies,
  { signal, trying }: Patience,
): Promise<ConnectAttempt> {
  const opening = await openTransport(options, { sdk, httpType }, trying);
  if (opening.type === 'failed') {
    return { outcome: opening, ending: Promise.resolve() };
  }
  const { opened } = opening;
  const client = createClient(options, sdk);
  const connection = new Connection({ client, sdk, ...opened, redact: options.redact });
  try {
    await client.connect(opened.transport, { signal: trying, timeout: longestMs });
    return isItself(client, options)
      ? { outcome: { type: 'failed', failure: itself }, ending: connection.end() }
      : { outcome: { type: 'open', connection }, ending: Promise.resolve() };
  } catch (error) {
    const read = trying.aborted ? null : await readRefusal(error, { connection, sdk, opened, redact: options.redact });
    const ending = connection.end();
    if (read !== null || signal.aborted) {
      return { outcome: read ?? { type: 'ended' }, ending };
    }
    const detail = `It did not answer within ${options.limits.connectMs / 1_000} s.${describeStray(opened)}`;
    return { outcome: { type: 'failed', failure: { kind: 'silent', detail } }, ending };
  }
}

async function openTransport(
  options: ConnectOptions,
  { sdk, httpType }: AttemptDependencies,
  signal: AbortSignal,
): Promise<TransportOpening> {
  const { transport, processes, fetch, redact } = options;
  const common = { maxMessageBytes: options.limits.maxMessageBytes, redact };
  if (transport.type === 'stdio') {
    return await openProcess({ program: transport.program, processes, sdk, ...common }, signal);
  }
  const { url, headers } = transport;
  return await openHttp({ type: httpType, url, headers, fetch, ...common });
}

const itself: ConnectionFailure = {
  kind: 'misconfigured',
  detail: 'It is this program itself, which cannot use itself as a server.',
};

/** Prevents Gemini from calling itself in a loop. Over HTTP a header of our requests shows it. */
function isItself(client: Client, { transport, client: own }: ConnectOptions): boolean {
  return transport.type === 'stdio' && client.getServerVersion()?.name === own.name;
}

function describeStray({ strayWords }: OpenedTransport): string {
  const words = strayWords();
  return words === '' ? '' : ` Its output is not MCP:\n${quoteStrangers(words)}`;
}

function createClient(options: ConnectOptions, sdk: Sdk): Client {
  const client = sdk.createClient(options.client, {
    capabilities: capabilitiesOf(options),
    // Never compiles servers' schemas: the SDK does so only for methods that we do not use.
    jsonSchemaValidator: { getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'unused' }) },
  });
  answerServerRequests(client, sdk, options);
  const { types } = sdk;
  client.setNotificationHandler(types.ToolListChangedNotificationSchema, options.onListChanged);
  client.setNotificationHandler(types.PromptListChangedNotificationSchema, options.onListChanged);
  client.setNotificationHandler(types.ResourceListChangedNotificationSchema, options.onListChanged);
  client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) =>
    options.onLog(params.level, params.data),
  );
  return client;
}

const maxQuotedCharacters = 1_000;

type Refused = Pick<ConnectOptions, 'redact'> & {
  readonly connection: Connection;
  readonly sdk: Sdk;
  readonly opened: OpenedTransport;
};

async function readRefusal(error: unknown, { connection, sdk, opened, redact }: Refused): Promise<ConnectOutcome> {
  const own = readOwnError(error, sdk);
  const isClosed = error instanceof sdk.types.McpError && error.code === sdk.types.ErrorCode.ConnectionClosed;
  if (own === null && isClosed) {
    return { type: 'failed', failure: (await connection.ended) ?? (await opened.whyOver()) };
  }
  if (own?.type === 'unreadable') {
    return { type: 'failed', failure: { kind: 'refused', detail: own.detail } };
  }
  const fault = own === null ? opened.readFault(error) : refused(redact(own.message));
  if (fault.type === 'login-wanted') {
    return fault;
  }
  if (fault.type === 'lost') {
    return { type: 'failed', failure: fault.failure };
  }
  const said = fault.said === '' ? '' : `\n${quoteStrangers(fault.said.slice(0, maxQuotedCharacters))}`;
  const detail = `${fault.sentence || 'It did not take the first request:'}${said}`;
  return { type: 'failed', failure: { kind: fault.kind, detail } };
}

function refused(said: string) {
  return { type: 'error', kind: 'refused', sentence: '', said } as const;
}
