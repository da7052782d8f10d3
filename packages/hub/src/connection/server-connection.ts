import type { ConnectionFailure } from '@gemini-mcp/core/internal';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Sdk } from './load-sdk.ts';

/** How far a call is, as its server tells it. */
export type ServerProgress = { readonly progress: number; readonly total: number | null; readonly message: string };

export type RequestOutcome =
  | { readonly type: 'answered'; readonly result: Readonly<Record<string, unknown>> }
  /** The server's own refusal, in its words. */
  | { readonly type: 'error'; readonly code: number; readonly message: string }
  /** The connection is over. Whether the server has carried out the request is not known, unless it was never sent. */
  | { readonly type: 'lost'; readonly failure: ConnectionFailure; readonly wasSent: boolean }
  | { readonly type: 'login-wanted'; readonly challenge: string }
  | { readonly type: 'aborted' };

/** What an error of sending means: the transports know, the client of the SDK does not. */
export type SendFault =
  | { readonly type: 'login-wanted'; readonly challenge: string }
  | { readonly type: 'lost'; readonly failure: ConnectionFailure; readonly wasSent: boolean }
  | { readonly type: 'error'; readonly message: string };

export type ServerConnectionOptions = {
  readonly client: Client;
  readonly sdk: Sdk;
  /** Says why the connection is over, once it is. */
  readonly whyOver: () => Promise<ConnectionFailure>;
  readonly readFault: (error: unknown) => SendFault;
  /** As in `OpenedTransport`. */
  readonly end: (isLost: boolean) => Promise<void>;
};

/** Timers of the SDK are of no use: time is ours, by a `Clock`. The longest that Node has. */
const longestMs = 2_147_483_647;

const maxProgressCharacters = 500;

/** A connection that is there. */
export class ServerConnection {
  /** Resolves when it is over, to why; null where we have ended it. */
  readonly ended: Promise<ConnectionFailure | null>;
  readonly #options: ServerConnectionOptions;
  #isOver = false;
  #isEndedByUs = false;
  /** Why a request found it gone. */
  #lostBy: ConnectionFailure | null = null;

  constructor(options: ServerConnectionOptions) {
    this.#options = options;
    const { client, whyOver } = options;
    this.ended = new Promise((resolve) => {
      client.onclose = () => {
        this.#isOver = true;
        resolve(this.#isEndedByUs ? null : whyOver());
      };
    });
  }

  /** What the server says about itself for a model; null where it says nothing. */
  get instructions(): string | null {
    return this.#options.client.getInstructions() ?? null;
  }

  /** Which kinds of lists the server says that it has. */
  get offers(): { readonly tools: boolean; readonly prompts: boolean; readonly resources: boolean } {
    const { tools, prompts, resources } = this.#options.client.getServerCapabilities() ?? {};
    return { tools: tools !== undefined, prompts: prompts !== undefined, resources: resources !== undefined };
  }

  /** Never rejects. An abort is told to the server (`notifications/cancelled`). */
  async request({ method, params, onProgress }: ServerRequest, signal: AbortSignal): Promise<RequestOutcome> {
    const { client, sdk } = this.#options;
    if (signal.aborted) {
      return { type: 'aborted' };
    }
    try {
      const options = {
        signal,
        timeout: longestMs,
        ...(onProgress && { onprogress: (told: ToldProgress): void => onProgress(progressOf(told)) }),
      };
      const result = await client.request({ method, params }, sdk.types.ResultSchema, options);
      return { type: 'answered', result };
    } catch (error) {
      return await this.#readError(error, signal);
    }
  }

  /** Ends the connection, and resolves once nothing of it is left. Never rejects. */
  async end(): Promise<void> {
    await this.#end(false);
  }

  async #end(isLost: boolean): Promise<void> {
    this.#isEndedByUs ||= !this.#isOver;
    await this.#options.end(isLost || this.#isOver).catch(() => undefined);
  }

  async #readError(error: unknown, signal: AbortSignal): Promise<RequestOutcome> {
    if (signal.aborted) {
      return { type: 'aborted' };
    }
    if (this.#isOver) {
      const failure = await this.ended;
      return { type: 'lost', failure: failure ?? this.#lostBy ?? endedByUs, wasSent: true };
    }
    if (error instanceof this.#options.sdk.types.McpError) {
      return { type: 'error', code: error.code, message: error.message.replace(/^MCP error -?\d+: /, '') };
    }
    const fault = this.#options.readFault(error);
    if (fault.type === 'lost') {
      this.#lostBy ??= fault.failure;
      void this.#end(true);
      // The keeper of the connection hears of its end before the caller asks for another one.
      await this.ended;
    }
    return fault.type === 'error' ? { ...fault, code: 0 } : fault;
  }
}

export type ServerRequest = {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Asks the server for progress, and hears of it. */
  readonly onProgress?: ((progress: ServerProgress) => void) | undefined;
};

type ToldProgress = {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
};

function progressOf({ progress, total, message = '' }: ToldProgress): ServerProgress {
  return { progress, total: total ?? null, message: message.slice(0, maxProgressCharacters) };
}

const endedByUs: ConnectionFailure = { kind: 'ended', detail: 'The connection was ended.' };
