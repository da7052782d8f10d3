import type { Clock } from '@gemini-mcp/core';
import {
  type ConnectionFailure,
  hasSlept,
  quoteStrangers,
  type ServerConfiguration,
  type ServerProcesses,
} from '@gemini-mcp/core/internal';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ConnectionLimits } from './connection-limits.ts';
import { hideSecrets } from './hide-secrets.ts';
import { loadSdk, type Sdk } from './load-sdk.ts';
import { openHttp } from './open-http.ts';
import { type OpenedTransport, openStdio, type TransportOpening } from './open-stdio.ts';
import { ServerConnection } from './server-connection.ts';
import { answerServerRequests, capabilitiesOf, type ServerRequestAnswers } from './server-requests.ts';

/** By which servers are reached. */
export type ConnectionMeans = {
  readonly clock: Clock;
  readonly processes: ServerProcesses;
  /** Without limits of its own on how long a body may be silent: calls take minutes. */
  readonly fetch: typeof fetch;
  readonly limits: ConnectionLimits;
  /** As servers see us. */
  readonly client: { readonly name: string; readonly version: string };
};

export type OpenConnectionOptions = ConnectionMeans &
  ServerRequestAnswers & {
    readonly configuration: ServerConfiguration;
    /** Some list of the server has changed. May be told any number of times. */
    readonly onListChanged: () => void;
    /** The server has something for the log. */
    readonly onLog: (level: string, data: unknown) => void;
    readonly onQuestion: (isOpen: boolean) => void;
    /** Takes secrets out of what is said of failures. */
    readonly redact: (text: string) => string;
  };

type ConnectionOpening =
  | { readonly type: 'open'; readonly connection: ServerConnection }
  | { readonly type: 'failed'; readonly failure: ConnectionFailure }
  | { readonly type: 'login-wanted'; readonly challenge: string }
  | { readonly type: 'aborted' };

export type ConnectionAttempt = {
  readonly opening: ConnectionOpening;
  /** Resolves once nothing is left of an attempt that failed: to end a process takes its time, for which no call has to wait. */
  readonly ending: Promise<void>;
};

/** Connects with a server, within `connectMs`. Never rejects. */
export async function openConnection(options: OpenConnectionOptions, signal: AbortSignal): Promise<ConnectionAttempt> {
  const { clock, limits } = options;
  const late = new AbortController();
  const over = new AbortController();
  void hasSlept(clock, limits.connectMs, over.signal).then((isOver) => isOver && late.abort());
  try {
    const sdk = await loadSdk();
    const trying = AbortSignal.any([signal, late.signal]);
    const { type } = options.configuration.transport;
    const first = await attempt(options, { sdk, httpType: type === 'sse' ? 'sse' : 'http' }, { signal, trying });
    // The answer to a server that does not know Streamable HTTP may be anything that is no answer: only one that is silent is no older one.
    const isOlder = type === 'either' && first.opening.type === 'failed' && !trying.aborted;
    if (!isOlder) {
      return first;
    }
    const second = await attempt(options, { sdk, httpType: 'sse' }, { signal, trying });
    return second.opening.type === 'failed' ? first : second;
  } finally {
    over.abort();
  }
}

type HttpType = 'http' | 'sse';

async function openTransport(
  options: OpenConnectionOptions,
  { sdk, httpType }: { readonly sdk: Sdk; readonly httpType: HttpType },
  signal: AbortSignal,
): Promise<TransportOpening> {
  const { configuration, processes, fetch, limits } = options;
  const { transport } = configuration;
  const { maxMessageBytes } = limits;
  if (transport.type === 'stdio') {
    return await openStdio({ program: transport.program, processes, sdk, maxMessageBytes }, signal);
  }
  const { url, headers } = transport;
  return await openHttp({ type: httpType, url, headers, fetch, maxMessageBytes });
}

async function attempt(
  options: OpenConnectionOptions,
  means: { readonly sdk: Sdk; readonly httpType: HttpType },
  patience: Patience,
): Promise<ConnectionAttempt> {
  const opening = await openTransport(options, means, patience.trying);
  return opening.type === 'failed'
    ? { opening, ending: Promise.resolve() }
    : await greet(options, means.sdk, hideSecrets(opening.opened, options.redact), patience);
}

type Patience = {
  /** Of who wants the connection. */
  readonly signal: AbortSignal;
  /** The same, or the end of the time. */
  readonly trying: AbortSignal;
};

async function greet(
  options: OpenConnectionOptions,
  sdk: Sdk,
  opened: OpenedTransport,
  { signal, trying }: Patience,
): Promise<ConnectionAttempt> {
  const client = createClient(options, sdk);
  const connection = new ServerConnection({ client, ...opened, redact: options.redact });
  try {
    await client.connect(opened.transport, { signal: trying, timeout: longestMs });
    return isItself(client, options)
      ? { opening: { type: 'failed', failure: itself }, ending: connection.end() }
      : { opening: { type: 'open', connection }, ending: Promise.resolve() };
  } catch (error) {
    const read = trying.aborted ? null : await readRefusal(error, { connection, sdk, opened });
    const ending = connection.end();
    if (read !== null || signal.aborted) {
      return { opening: read ?? { type: 'aborted' }, ending };
    }
    const detail = `It did not answer within ${options.limits.connectMs / 1_000} s.${describeStray(opened)}`;
    return { opening: { type: 'failed', failure: { kind: 'silent', detail } }, ending };
  }
}

const itself: ConnectionFailure = {
  kind: 'misconfigured',
  detail: 'It is this program itself, which cannot be a server of its own.',
};

/** Gemini could ask itself without end. One that is reached over HTTP knows the marks of its requests. */
function isItself(client: Client, { configuration, client: own }: OpenConnectionOptions): boolean {
  return configuration.transport.type === 'stdio' && client.getServerVersion()?.name === own.name;
}

function describeStray({ strayWords }: OpenedTransport): string {
  const words = strayWords();
  return words === null ? '' : ` It wrote what is no message of MCP:\n${quoteStrangers(words)}`;
}

/** Time is ours, by a `Clock`: timers of the SDK have the longest that Node has. */
const longestMs = 2_147_483_647;

function createClient(options: OpenConnectionOptions, sdk: Sdk): Client {
  const { clock, limits, configuration, questions, roots, sampling, onQuestion } = options;
  const client = sdk.createClient(options.client, {
    capabilities: capabilitiesOf({ questions, roots, sampling }),
    // Schemas of servers are compiled nowhere: the SDK does it only for methods that are not used here.
    jsonSchemaValidator: { getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'unused' }) },
  });
  const { server, questionMs } = { server: configuration.name, questionMs: limits.questionMs };
  answerServerRequests(client, sdk, { questions, roots, sampling, server, clock, questionMs, onQuestion });
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

type Refused = { readonly connection: ServerConnection; readonly sdk: Sdk; readonly opened: OpenedTransport };

async function readRefusal(error: unknown, { connection, sdk, opened }: Refused): Promise<ConnectionOpening> {
  const isClosed = error instanceof sdk.types.McpError && error.code === sdk.types.ErrorCode.ConnectionClosed;
  // Servers use the same code for faults of their own.
  if (isClosed && !opened.transport.hasAnswered) {
    return { type: 'failed', failure: (await connection.ended) ?? (await opened.whyOver()) };
  }
  const fault = opened.readFault(error);
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
