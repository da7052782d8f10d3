import type { ConnectionFailure } from '@gemini-mcp/core/internal';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Progress, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { errorOrigin, type GuardedTransport } from './guarded-transport.ts';
import type { Sdk } from './load-sdk.ts';

/** Progress of a call, as reported by its server. */
type ServerProgress = { readonly progress: number; readonly total: number | null; readonly message: string };

export type ServerRequest = {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Requests progress from the server. */
  readonly onProgress?: ((progress: ServerProgress) => void) | undefined;
};

export type RequestOutcome =
  | { readonly type: 'answered'; readonly result: Readonly<Record<string, unknown>> }
  /** The server refused; `message` is its own text. */
  | { readonly type: 'error'; readonly message: string }
  /** The answer cannot be read; `detail` says why. */
  | { readonly type: 'unreadable'; readonly detail: string }
  /** The connection ended. With `wasSent` the server may have carried out the request. */
  | { readonly type: 'lost'; readonly failure: ConnectionFailure; readonly wasSent: boolean }
  | { readonly type: 'login-wanted'; readonly challenge: string }
  /** The server does not declare this method, so the request was not sent. */
  | { readonly type: 'not-offered' }
  | { readonly type: 'aborted' };

/** The meaning of a send error, which only the transport knows. */
export type SendFault =
  | { readonly type: 'login-wanted'; readonly challenge: string }
  | { readonly type: 'lost'; readonly failure: ConnectionFailure; readonly wasSent: boolean }
  /** `sentence` is ours, `said` the server's text; either may be empty. */
  | {
      readonly type: 'error';
      readonly kind: 'refused' | 'out-of-order';
      readonly sentence: string;
      readonly said: string;
    };

/** An opened transport and what it knows about its server. Every text is redacted. */
export type OpenedTransport = {
  readonly transport: GuardedTransport;
  /** Why the connection ended. Call after its end. */
  readonly whyOver: () => Promise<ConnectionFailure>;
  /** The beginning of any server output that is not a message; empty if none. */
  readonly strayWords: () => string;
  readonly readFault: (error: unknown) => SendFault;
  /** Ends the session, unless the connection is lost, and leaves nothing running. */
  readonly end: (isLost: boolean) => Promise<void>;
};

export type TransportOpening =
  | { readonly type: 'opened'; readonly opened: OpenedTransport }
  | { readonly type: 'failed'; readonly failure: ConnectionFailure };

export type ConnectionOptions = Pick<OpenedTransport, 'transport' | 'whyOver' | 'readFault' | 'end'> & {
  readonly client: Client;
  readonly sdk: Sdk;
  readonly redact: (text: string) => string;
};

const maxProgressCharacters = 500;

/** Our timeouts use a `Clock`, so the SDK's timers get the longest time that Node allows. */
export const longestMs = 2_147_483_647;

const endedByUs: ConnectionFailure = { kind: 'ended', detail: 'The connection was ended.' };

/** A connection to a server that has answered `initialize`. */
export class Connection {
  /** Resolves with the reason when the connection ends; null if we ended it. */
  readonly ended: Promise<ConnectionFailure | null>;
  readonly #options: ConnectionOptions;
  #isOver = false;
  #isEndedByUs = false;
  /** The failure that a request met. */
  #lostBy: ConnectionFailure | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { client, transport, whyOver } = options;
    this.ended = new Promise((resolve) => {
      client.onclose = () => {
        this.#isOver = true;
        resolve(transport.flooding ?? (this.#isEndedByUs ? null : whyOver()));
      };
    });
  }

  /** The server's instructions for a model, or null. */
  get instructions(): string | null {
    return this.#options.client.getInstructions() ?? null;
  }

  get capabilities(): ServerCapabilities {
    return this.#options.client.getServerCapabilities() ?? {};
  }

  /** Never rejects. An abort before the answer reaches the server as `notifications/cancelled`. */
  async request({ method, params, onProgress }: ServerRequest, signal: AbortSignal): Promise<RequestOutcome> {
    if (signal.aborted) {
      return { type: 'aborted' };
    }
    if (method === 'completion/complete' && this.capabilities.completions === undefined) {
      return { type: 'not-offered' };
    }
    const { client, sdk } = this.#options;
    const onprogress = onProgress && ((progress: Progress) => onProgress(toProgress(progress)));
    try {
      const options = { signal, timeout: longestMs, ...(onprogress && { onprogress }) };
      return { type: 'answered', result: await client.request({ method, params }, sdk.types.ResultSchema, options) };
    } catch (error) {
      return signal.aborted ? { type: 'aborted' } : await this.#readFailure(error);
    }
  }

  /** Does nothing if the server gets no roots. */
  tellRootsChanged(): void {
    this.#options.client.sendRootsListChanged().catch(() => undefined);
  }

  /** Ends the connection. Resolves once nothing of it is left. Never rejects. */
  async end(isLost: boolean = this.#isOver): Promise<void> {
    this.#isEndedByUs ||= !this.#isOver;
    await this.#options.end(isLost || this.#isOver).catch(() => undefined);
  }

  async #readFailure(error: unknown): Promise<RequestOutcome> {
    const { sdk, redact, readFault } = this.#options;
    const own = readOwnError(error, sdk);
    if (own !== null) {
      return own.type === 'error' ? { ...own, message: redact(own.message) } : own;
    }
    if (this.#isOver) {
      const failure = await this.ended;
      return { type: 'lost', failure: failure ?? this.#lostBy ?? endedByUs, wasSent: true };
    }
    const fault = readFault(error);
    if (fault.type === 'lost') {
      this.#lostBy ??= fault.failure;
      void this.end(true);
      // The connection's owner learns of the end before the caller asks for another connection.
      await this.ended;
    }
    return fault.type === 'error' ? { type: 'error', message: `${fault.sentence} ${fault.said}`.trim() } : fault;
  }
}

/** Reads an error that the server, or the guard on its behalf, sent in answer to a request; null for any other error. */
export function readOwnError(
  error: unknown,
  { types }: Sdk,
): Extract<RequestOutcome, { readonly type: 'error' | 'unreadable' }> | null {
  if (!(error instanceof types.McpError)) {
    return null;
  }
  const message = error.message.replace(/^MCP error -?\d+: /, '');
  if (error.data === errorOrigin.unreadable) {
    return { type: 'unreadable', detail: message };
  }
  return error.data === errorOrigin.server ? { type: 'error', message } : null;
}

function toProgress({ progress, total, message = '' }: Progress): ServerProgress {
  return { progress, total: total ?? null, message: message.slice(0, maxProgressCharacters) };
}
