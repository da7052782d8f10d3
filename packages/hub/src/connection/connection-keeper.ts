import type { Clock } from '@gemini-mcp/core';
import {
  aborted,
  admit,
  beforeAbort,
  type ConnectionEvent,
  type ConnectionFailure,
  type ConnectionState,
  hasSlept,
  nextConnectionState,
} from '@gemini-mcp/core/internal';
import type { CallEnd } from './call-end.ts';
import type { ConnectionAttempt } from './open-connection.ts';
import type { ServerConnection } from './server-connection.ts';
import { UseWatch } from './use-watch.ts';

export type ConnectionKeeperOptions = {
  readonly clock: Clock;
  readonly idleMs: number;
  readonly isEnabled: boolean;
  readonly open: (signal: AbortSignal) => Promise<ConnectionAttempt>;
  /** Whether there is a login that the server has not refused yet. Never rejects. */
  readonly hasNewLogin: () => Promise<boolean>;
  /** The state has changed. */
  readonly onState: (state: ConnectionState) => void;
  /** A new connection is there. */
  readonly onConnected: () => void;
};

export type Holding<Result> =
  | { readonly type: 'held'; readonly result: Result }
  /** `detail` says why there is no connection: sentences for a user. */
  | { readonly type: 'refused'; readonly detail: string }
  | { readonly type: 'aborted' };

type Preparation = Exclude<Holding<never>, { readonly type: 'held' }> | { readonly type: 'waited' | 'tried' };

/**
 * Has a connection when it is needed: connects when the first one asks for it, and again after it was lost, with the pauses that
 * `nextConnectionState` has, and ends it when it was not used for a while. All who ask meanwhile wait for the same attempt.
 */
export class ConnectionKeeper {
  readonly #options: ConnectionKeeperOptions;
  readonly #closing = new AbortController();
  #state: ConnectionState;
  #connection: ServerConnection | null = null;
  #opening: Promise<void> | undefined;
  /** What ends, and is waited for at the end. */
  readonly #ending = new Set<Promise<void>>();
  readonly #use: UseWatch;
  /** Uses that somebody waits for. */
  #calls = 0;

  constructor(options: ConnectionKeeperOptions) {
    this.#options = options;
    this.#use = new UseWatch(options);
    this.#state = options.isEnabled ? { type: 'disconnected', failures: 0 } : { type: 'disabled' };
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Whether nothing of a connection is there, is being made or is ending. */
  get isIdle(): boolean {
    return this.#connection === null && this.#opening === undefined && this.#ending.size === 0;
  }

  /** Does something with a connection, which is made if there is none. Never rejects, unless the work does. */
  async use<Result>(work: (connection: ServerConnection) => Promise<Result>, end: CallEnd): Promise<Holding<Result>> {
    let tried = false;
    for (;;) {
      if (end.isOver) {
        return { type: 'aborted' };
      }
      if (this.#closing.signal.aborted) {
        return { type: 'refused', detail: 'This server is ending.' };
      }
      const connection = this.#connection;
      if (connection !== null) {
        return { type: 'held', result: await this.#call(connection, work) };
      }
      const next = await this.#prepare(tried, end.signal);
      if (next.type === 'refused' || next.type === 'aborted') {
        return next;
      }
      tried = next.type === 'tried';
    }
  }

  /** Does something with the connection that there is; null where there is none. */
  async useExisting<Result>(work: (connection: ServerConnection) => Promise<Result>): Promise<Result | null> {
    const connection = this.#connection;
    return connection === null ? null : await this.#use.during(() => work(connection));
  }

  /** A call was answered. */
  served(): void {
    this.#dispatch({ type: 'served' });
  }

  loggedIn(): void {
    this.#dispatch({ type: 'logged-in' });
  }

  /** The server refuses what it has taken before. */
  wantsLogin(challenge: string): void {
    this.#dispatch({ type: 'login-wanted', challenge });
    this.#endConnection();
  }

  enable(isEnabled: boolean): void {
    this.#dispatch({ type: isEnabled ? 'enabled' : 'disabled' });
    if (!isEnabled) {
      this.#endConnection();
    }
  }

  /** Ends the connection for good, and resolves once nothing of it is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#opening;
    this.#endConnection();
    await Promise.all(this.#ending);
  }

  /** Has a connection made, or waits until one may be. */
  async #prepare(tried: boolean, signal: AbortSignal): Promise<Preparation> {
    const { clock, hasNewLogin } = this.#options;
    // Another process may have logged in.
    if (this.#state.type === 'awaiting-login' && (await hasNewLogin())) {
      this.loggedIn();
    }
    const admission = admit(this.#state, clock.now());
    if (admission.type === 'refuse') {
      return { type: 'refused', detail: admission.detail };
    }
    if (tried && this.#state.type === 'failed') {
      // Who has waited for an attempt hears what came of it.
      return { type: 'refused', detail: this.#state.failure.detail };
    }
    if (admission.type === 'wait') {
      const over = AbortSignal.any([signal, this.#closing.signal]);
      await hasSlept(clock, admission.untilMs - clock.now(), over);
      return { type: 'waited' };
    }
    this.#opening ??= this.#open();
    const end = await beforeAbort(this.#opening, signal);
    return { type: end === aborted ? 'aborted' : 'tried' };
  }

  async #open(): Promise<void> {
    const { clock, open, onConnected } = this.#options;
    this.#dispatch({ type: 'began', atMs: clock.now() });
    const { opening, ending } = await open(this.#closing.signal);
    this.#opening = undefined;
    this.#awaitEnd(ending);
    switch (opening.type) {
      case 'open':
        if (this.#state.type !== 'connecting' || this.#closing.signal.aborted) {
          this.#end(opening.connection);
          return;
        }
        this.#take(opening.connection);
        onConnected();
        return;
      case 'failed':
        this.#dispatch({ type: 'failed', atMs: clock.now(), failure: opening.failure });
        return;
      case 'login-wanted':
        this.#dispatch(opening);
        return;
      case 'aborted':
        this.#dispatch({ type: 'ended' });
    }
  }

  #take(connection: ServerConnection): void {
    const { clock } = this.#options;
    this.#connection = connection;
    this.#dispatch({ type: 'connected', atMs: clock.now() });
    const over = new AbortController();
    // Before anything is asked of it: its end is heard here first, while the calls that it ends still count.
    void connection.ended.then((failure) => {
      over.abort();
      this.#lose(connection, failure);
    });
    void this.#use.untilIdle(over.signal).then((isIdle) => isIdle && this.#endIfCurrent(connection));
  }

  #lose(connection: ServerConnection, failure: ConnectionFailure | null): void {
    this.#end(connection);
    if (this.#connection !== connection) {
      return;
    }
    this.#connection = null;
    // One that ends while no call waits has done no harm: programs may end when they have nothing to do.
    this.#dispatch(
      failure !== null && (this.#calls > 0 || failure.kind === 'flooding')
        ? { type: 'failed', atMs: this.#options.clock.now(), failure }
        : { type: 'ended' },
    );
  }

  async #call<Result>(
    connection: ServerConnection,
    work: (connection: ServerConnection) => Promise<Result>,
  ): Promise<Result> {
    this.#calls += 1;
    try {
      return await this.#use.during(() => work(connection));
    } finally {
      this.#calls -= 1;
    }
  }

  #endIfCurrent(connection: ServerConnection): void {
    if (this.#connection === connection) {
      this.#endConnection();
    }
  }

  #endConnection(): void {
    const connection = this.#connection;
    if (connection !== null) {
      this.#connection = null;
      this.#end(connection);
      this.#dispatch({ type: 'ended' });
    }
  }

  #end(connection: ServerConnection): void {
    this.#awaitEnd(connection.end());
  }

  #awaitEnd(ending: Promise<void>): void {
    const ended = ending.then(() => {
      this.#ending.delete(ended);
    });
    this.#ending.add(ended);
  }

  #dispatch(event: ConnectionEvent): void {
    const before = this.#state;
    this.#state = nextConnectionState(before, event);
    if (this.#state.type !== before.type) {
      this.#options.onState(this.#state);
    }
  }
}
