import type { ConnectionFailure } from '@gemini-mcp/core/internal';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { CallEnd } from './call-end.ts';
import type { GuardedTransport } from './guarded-transport.ts';
import type { Answer, ServerRequest } from './own-requests.ts';

export type RequestOutcome =
  | { readonly type: 'answered'; readonly result: Readonly<Record<string, unknown>> }
  /** The server's own refusal, in its words. */
  | { readonly type: 'error'; readonly code: number; readonly message: string }
  /** Of an answer that came: why it cannot be read. */
  | { readonly type: 'unreadable'; readonly detail: string }
  /** The connection is over. Whether the server has carried out the request is not known, unless it was never sent. */
  | { readonly type: 'lost'; readonly failure: ConnectionFailure; readonly wasSent: boolean }
  | { readonly type: 'login-wanted'; readonly challenge: string }
  /** The server has not said that it answers this method: it was not asked. */
  | { readonly type: 'not-offered' }
  | { readonly type: 'aborted' };

/** What an error of sending means: the transports know, the client of the SDK does not. */
export type SendFault =
  | { readonly type: 'login-wanted'; readonly challenge: string }
  | { readonly type: 'lost'; readonly failure: ConnectionFailure; readonly wasSent: boolean }
  /** `sentence` is ours, `said` what the server wrote; either may be empty. */
  | {
      readonly type: 'error';
      readonly kind: 'refused' | 'out-of-order';
      readonly sentence: string;
      readonly said: string;
    };

export type ServerConnectionOptions = {
  readonly client: Client;
  readonly transport: GuardedTransport;
  /** Says why the connection is over, once it is. */
  readonly whyOver: () => Promise<ConnectionFailure>;
  readonly readFault: (error: unknown) => SendFault;
  /** Takes secrets out of the words of a refusal. */
  readonly redact: (text: string) => string;
  /** As in `OpenedTransport`. */
  readonly end: (isLost: boolean) => Promise<void>;
};

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
    const { client, transport, whyOver } = options;
    this.ended = new Promise((resolve) => {
      client.onclose = () => {
        this.#isOver = true;
        resolve(transport.flooding ?? (this.#isEndedByUs ? null : whyOver()));
      };
    });
  }

  /** What the server says about itself for a model; null where it says nothing. */
  get instructions(): string | null {
    return this.#options.client.getInstructions() ?? null;
  }

  get #capabilities(): ServerCapabilities | undefined {
    return this.#options.client.getServerCapabilities();
  }

  /** Which kinds of lists the server says that it has. */
  get offers(): { readonly tools: boolean; readonly prompts: boolean; readonly resources: boolean } {
    const { tools, prompts, resources } = this.#capabilities ?? {};
    return { tools: tools !== undefined, prompts: prompts !== undefined, resources: resources !== undefined };
  }

  /** Never rejects. The server hears of an end before the answer (`notifications/cancelled`). */
  async request(request: ServerRequest, end: CallEnd): Promise<RequestOutcome> {
    if (end.isOver) {
      return { type: 'aborted' };
    }
    if (request.method === 'completion/complete' && this.#capabilities?.completions === undefined) {
      return { type: 'not-offered' };
    }
    const { answer, takeBack } = this.#options.transport.ask(request);
    const forget = end.onOver(takeBack);
    const given = await answer;
    forget();
    if (given.type === 'error') {
      return { ...given, message: this.#options.redact(given.message) };
    }
    return given.type === 'answered' || given.type === 'unreadable' ? given : await this.#readLack(given);
  }

  /** Does nothing where the server is told of no roots. */
  tellRootsChanged(): void {
    this.#options.client.sendRootsListChanged().catch(() => undefined);
  }

  /** Ends the connection, and resolves once nothing of it is left. Never rejects. */
  async end(): Promise<void> {
    await this.#end(false);
  }

  async #end(isLost: boolean): Promise<void> {
    this.#isEndedByUs ||= !this.#isOver;
    await this.#options.end(isLost || this.#isOver).catch(() => undefined);
  }

  async #readLack(
    answer: Exclude<Answer, { readonly type: 'answered' | 'error' | 'unreadable' }>,
  ): Promise<RequestOutcome> {
    if (answer.type === 'taken-back') {
      return { type: 'aborted' };
    }
    if (this.#isOver || answer.type === 'connection-over') {
      const failure = await this.ended;
      return { type: 'lost', failure: failure ?? this.#lostBy ?? endedByUs, wasSent: true };
    }
    const fault = this.#options.readFault(answer.error);
    if (fault.type === 'lost') {
      this.#lostBy ??= fault.failure;
      void this.#end(true);
      // The keeper of the connection hears of its end before the caller asks for another one.
      await this.ended;
    }
    return fault.type === 'error'
      ? { type: 'error', code: 0, message: `${fault.sentence} ${fault.said}`.trim() }
      : fault;
  }
}

const endedByUs: ConnectionFailure = { kind: 'ended', detail: 'The connection was ended.' };
