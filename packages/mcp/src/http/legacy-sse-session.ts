import type { Extend, McpServer } from '../create-mcp-server.ts';
import { createCallerServer } from './create-caller-server.ts';
import { LegacySseTransport } from './legacy-sse-transport.ts';
import type { McpCaller } from './mcp-caller.ts';
import type { McpHttpOptions } from './mcp-http-options.ts';
import type { HeldSession } from './session-table.ts';

export type LegacySseSessionOptions = McpHttpOptions & {
  readonly idleMs: number;
  /** Who opened the stream. */
  readonly caller: McpCaller;
  readonly extend: Extend | undefined;
  /** Called once, however it ends. */
  readonly onEnd: () => void;
};

/** One client's session over HTTP with SSE: it lives as long as its stream. */
export class LegacySseSession implements HeldSession {
  readonly id: string = globalThis.crypto.randomUUID();
  readonly binding: string;
  readonly transport: LegacySseTransport;
  readonly #options: LegacySseSessionOptions;
  readonly #server: McpServer;
  #usedAtMs: number;

  constructor(options: LegacySseSessionOptions) {
    const { clock, caller, extend, onEnd } = options;
    this.binding = caller.binding;
    this.#options = options;
    this.#usedAtMs = clock.now();
    this.#server = createCallerServer(options, caller, extend);
    const endpoint = `/messages?sessionId=${this.id}`;
    this.transport = new LegacySseTransport({ clock, endpoint, onQuiet: () => this.noteUse() });
    this.transport.onclose = () => {
      caller.signal.removeEventListener('abort', this.#closeUnheard);
      onEnd();
    };
  }

  /** Its stream is open all the time: what counts is that for `idleMs` nothing was asked on it. */
  get idleSinceMs(): number | null {
    const { clock, idleMs } = this.#options;
    const isIdle = this.transport.isQuiet && clock.now() - this.#usedAtMs >= idleMs;
    return isIdle ? this.#usedAtMs : null;
  }

  /** To be called once, before anything else. Closes when the caller's request does. */
  async open(): Promise<void> {
    const { signal } = this.#options.caller;
    await this.#server.connect(this.transport);
    signal.addEventListener('abort', this.#closeUnheard, { once: true });
    if (signal.aborted) {
      this.#closeUnheard();
    }
  }

  noteUse(): void {
    this.#usedAtMs = this.#options.clock.now();
  }

  /** Ends the session, and aborts what runs. */
  close(): Promise<void> {
    return this.#server.close();
  }

  /** Resolves when every call that was running has come to its end, cancelled ones included. Never rejects. */
  callsEnded(): Promise<void> {
    return this.#server.callsEnded();
  }

  readonly #closeUnheard = (): void => void this.close();
}
