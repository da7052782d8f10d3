import type { Clock } from '@gemini-mcp/core';
import {
  aborted,
  admit,
  type ConnectionAdmission,
  type ConnectionEvent,
  type ConnectionFailure,
  type ConnectionState,
  canonicalJson,
  createRedactor,
  loginCommand,
  nextConnectionState,
  raceAbort,
  raceTimeout,
  type ServerReply,
  sleepUnlessAborted,
  type UpstreamSnapshot,
} from '@gemini-mcp/core/internal';
import { abortAfter } from './connection/abort-after.ts';
import { CallTimer, type TimedCall } from './connection/call-timer.ts';
import { type ConnectAttempt, type ConnectOptions, connect } from './connection/connect.ts';
import { Connection, type RequestOutcome, type ServerRequest } from './connection/connection.ts';
import { type ListsReading, readLists } from './connection/read-lists.ts';
import { ServerLog } from './connection/server-log.ts';
import { type CallOwner, UpstreamQuestions } from './connection/server-requests.ts';
import { digestOf } from './digest-of.ts';
import { Endings } from './endings.ts';
import { offersTool, type ServerEntry } from './settings/read-server-entry.ts';
import { UpstreamLists, unavailable } from './upstream-lists.ts';
import type { ServerReach, UpstreamsOptions } from './upstreams-options.ts';

export type UpstreamServerOptions = {
  readonly upstreams: Omit<UpstreamsOptions, 'settings'>;
  readonly entry: ServerEntry;
  /** Null for a server that all owners share. */
  readonly owner: string | null;
  /** The state of the connection, or the lists, changed. */
  readonly onChange: () => void;
};

export type UpstreamRequest = ServerRequest & CallOwner & { readonly deadlineAtMs: number };

type Login = Required<Pick<Extract<ServerReach, { readonly isKnown: true }>, 'hasNewLogin' | 'whyRefused'>>;

const defaultCallTimeoutMs = 600_000;

/**
 * One server of one owner. Connects on first use, reconnects after the pauses of `nextConnectionState`, and disconnects when idle; concurrent callers
 * share one attempt. Its lists are saved, so that they are known without a connection. Nothing here rejects, and nothing waits beyond its limits.
 */
export class UpstreamServer {
  readonly #options: UpstreamServerOptions;
  readonly #clock: Clock;
  readonly lists: UpstreamLists;
  readonly #log: ServerLog;
  readonly #calls: CallTimer;
  readonly #questions = new UpstreamQuestions();
  readonly #closing = new AbortController();
  readonly #ending = new Endings();
  #entry: ServerEntry;
  #state: ConnectionState = { type: 'disconnected', failures: 0 };
  #connection: Connection | null = null;
  #opening: Promise<void> | undefined;
  #login: Login = { hasNewLogin: async () => false, whyRefused: async () => null };
  /** Since the start of the current connection. */
  #rootsChanged = false;
  #listing = 0;
  #isReadingLists = false;
  #usedAtMs = 0;

  constructor(options: UpstreamServerOptions) {
    this.#options = options;
    const { upstreams, entry, owner, onChange } = options;
    const { clock, limits, upstreamListStore, toolPinStore, remedies } = upstreams;
    const log = (line: string): void => upstreams.log(`${entry.name}: ${line}`);
    this.#entry = entry;
    this.#clock = clock;
    this.#log = new ServerLog({ clock, write: log });
    this.#calls = new CallTimer({ clock, timeoutMs: entry.timeoutMs ?? defaultCallTimeoutMs });
    this.lists = new UpstreamLists({
      ...{ clock, upstreamListStore, toolPinStore, onChange, log, remedies },
      key: digestOf(canonicalJson({ owner, digest: entry.digest })),
      relistMs: limits.relistMs,
      read: (signal) => this.#readLists(signal),
    });
  }

  get entry(): ServerEntry {
    return this.#entry;
  }

  /** Whether it has no call and no connection, not even one that is opening or closing. */
  get isIdle(): boolean {
    const isConnected = this.#connection !== null || this.#opening !== undefined || this.#ending.size > 0;
    return this.#calls.size === 0 && !isConnected;
  }

  /** Switches to another entry if that leaves the connection unchanged. Returns false if a new server is needed. */
  adopt(entry: ServerEntry): boolean {
    const { digest, timeoutMs, isShared } = this.#entry;
    const isSame = digest === entry.digest && timeoutMs === entry.timeoutMs && isShared === entry.isShared;
    this.#entry = isSame ? entry : this.#entry;
    return isSame;
  }

  /** The server's known state and lists, without a connection. */
  async describe(): Promise<UpstreamSnapshot> {
    const { name, transport, description, digest, isTrusted, isShared } = this.#entry;
    const lists = await this.lists.judged(this.#entry);
    const listProblem = this.#state.type === 'awaiting-login' ? await this.#login.whyRefused() : this.lists.problem;
    const known = { state: this.#state, lists, listProblem };
    return { name, transport: transport.type, description, digest, isTrusted, isShared, ...known };
  }

  /** Connects and reads the lists. Waits at most `waitMs` after the attempt began. */
  async awaitLists(waitMs: number, signal: AbortSignal): Promise<void> {
    const state = this.#state;
    // Continues after the caller leaves, for the next caller; so the signal is not the caller's.
    const event = this.connect(new AbortController().signal);
    const goneMs = state.type === 'connecting' ? this.#clock.now() - state.sinceMs : 0;
    const durationMs = state.type === 'failed' ? 0 : waitMs - goneMs;
    if (durationMs > 0) {
      await raceTimeout({ event, durationMs, clock: this.#clock }, signal);
    }
  }

  /** Resolves once the lists were read: to null if connected, otherwise to the reason for the user; empty after an abort. */
  async connect(signal: AbortSignal): Promise<string | null> {
    const connection = await this.#connected(signal);
    if (!(connection instanceof Connection)) {
      return connection ?? '';
    }
    this.#listing += 1;
    await this.lists.refresh();
    this.#listing -= 1;
    return null;
  }

  /** Why a tool may not be called; null if it may. Connects first, because only what the server lists in this connection counts. */
  async refuse(tool: string, deadlineAtMs: number, signal: AbortSignal): Promise<ServerReply | null> {
    const entry = this.#entry;
    if (!offersTool(entry, tool)) {
      return { type: 'kept-back', detail: 'The settings exclude this tool.' };
    }
    const failure = this.#state.type === 'connected' ? null : await this.#connectBy(deadlineAtMs, signal);
    return failure ?? (await this.lists.refuse(tool, entry));
  }

  /** Sends a request, connecting first if necessary. An abort reaches the server as `notifications/cancelled`. */
  async request(request: UpstreamRequest, signal: AbortSignal): Promise<ServerReply> {
    const { limits } = this.#options.upstreams;
    if (this.#calls.size >= limits.maxCalls) {
      return unavailable(`It is already answering ${limits.maxCalls} calls.`);
    }
    const call = this.#calls.begin(request.deadlineAtMs, signal);
    const endQuestions = this.#questions.begin(request);
    try {
      const first = await this.#send(request, call);
      // The server forgot the session and took nothing: try again in a new one.
      const isForgotten = first.wasSent && first.reply?.type === 'unavailable' && !first.reply.wasSent;
      const { reply, wasSent } = isForgotten ? await this.#send(request, call) : first;
      return reply ?? { type: signal.aborted ? 'cancelled' : 'timed-out', wasSent };
    } finally {
      endQuestions();
      call.end();
      this.#usedAtMs = this.#clock.now();
    }
  }

  rootsChanged(): void {
    this.#rootsChanged = true;
    this.#connection?.tellRootsChanged();
  }

  /** The user has logged in. */
  loggedIn(): void {
    this.#dispatch({ type: 'logged-in' });
  }

  /** Ends the connection for good. Resolves once nothing of it is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.lists.close();
    this.#calls.close();
    await this.#opening;
    this.#disconnect(this.#connection);
    await this.#ending.settled();
  }

  async #send({ method, params, onProgress }: UpstreamRequest, call: TimedCall): Promise<Sent> {
    const connection = await this.#connected(call.signal);
    if (!(connection instanceof Connection)) {
      return { reply: connection === null ? null : unavailable(connection), wasSent: false };
    }
    call.heard();
    const hear: ServerRequest['onProgress'] = (progress) => {
      call.heard();
      onProgress?.(progress);
    };
    const outcome = await connection.request({ method, params, onProgress: hear }, call.signal);
    return { reply: this.#toReply(outcome), wasSent: true };
  }

  #toReply(outcome: RequestOutcome): ServerReply | null {
    switch (outcome.type) {
      case 'answered':
      case 'error':
      case 'unreadable':
        this.#dispatch({ type: 'served' });
        return outcome;
      case 'lost':
        return { type: 'unavailable', detail: outcome.failure.detail, wasSent: outcome.wasSent };
      case 'login-wanted':
        this.#dispatch(outcome);
        this.#disconnect(this.#connection);
        return unavailable(this.#explain(''));
      case 'not-offered':
        return { type: 'error', message: 'It does not offer this method.' };
      case 'aborted':
        return null;
    }
  }

  async #connectBy(deadlineAtMs: number, signal: AbortSignal): Promise<ServerReply | null> {
    const late = abortAfter(this.#clock, deadlineAtMs - this.#clock.now());
    const over = AbortSignal.any([signal, late.signal]);
    const detail = await raceAbort(this.connect(over), over);
    late.cancel();
    if (detail === aborted || over.aborted) {
      return { type: signal.aborted ? 'cancelled' : 'timed-out', wasSent: false };
    }
    return detail === null ? null : unavailable(detail);
  }

  /** The connection, opened if necessary; or sentences for the user on why that failed; or null after an abort. */
  async #connected(signal: AbortSignal): Promise<Connection | string | null> {
    let hasTried = false;
    while (!signal.aborted) {
      const known = this.#closing.signal.aborted ? 'This program is shutting down.' : this.#connection;
      if (known !== null) {
        return known;
      }
      const admission = await this.#admit(hasTried);
      if (admission.type === 'refuse') {
        return this.#explain(admission.detail);
      }
      hasTried = admission.type !== 'wait';
      if (admission.type === 'wait') {
        await this.#pauseUntil(admission.untilMs, signal);
      } else {
        this.#opening ??= this.#open();
        await raceAbort(this.#opening, signal);
      }
    }
    return null;
  }

  async #admit(hasTried: boolean): Promise<ConnectionAdmission> {
    // Another process may have logged in.
    if (this.#state.type === 'awaiting-login' && (await this.#login.hasNewLogin())) {
      this.loggedIn();
    }
    const state = this.#state;
    const admission = admit(state, this.#clock.now());
    // Callers who waited for an attempt get its failure, not another attempt.
    return admission.type !== 'refuse' && hasTried && state.type === 'failed'
      ? { type: 'refuse', detail: state.failure.detail }
      : admission;
  }

  async #pauseUntil(untilMs: number, signal: AbortSignal): Promise<void> {
    await sleepUnlessAborted(this.#clock, untilMs - this.#clock.now(), AbortSignal.any([signal, this.#closing.signal]));
  }

  async #open(): Promise<void> {
    this.#dispatch({ type: 'began', atMs: this.#clock.now() });
    this.#rootsChanged = false;
    const { outcome, ending } = await this.#attempt(this.#closing.signal);
    this.#opening = undefined;
    this.#ending.add(ending);
    if (outcome.type === 'open') {
      this.#take(outcome.connection);
    } else {
      this.#dispatch(outcome.type === 'failed' ? { ...outcome, atMs: this.#clock.now() } : outcome);
    }
  }

  async #attempt(signal: AbortSignal): Promise<ConnectAttempt> {
    const { upstreams, owner } = this.#options;
    const { name } = this.#entry;
    const reached = await upstreams.reach({ entry: this.#entry, owner }, signal);
    if (!reached.isKnown) {
      const failure = { kind: 'misconfigured' as const, detail: reached.problem };
      return { outcome: { type: 'failed', failure }, ending: Promise.resolve() };
    }
    const { transport, fetch, secrets = [], hasNewLogin, whyRefused } = reached;
    this.#login = { ...this.#login, ...(hasNewLogin && { hasNewLogin }), ...(whyRefused && { whyRefused }) };
    const options: ConnectOptions = {
      ...upstreams,
      ...{ name, transport, fetch, redact: createRedactor(secrets), questions: this.#questions },
      roots: owner === null ? null : upstreams.roots(owner),
      onListChanged: () => void this.lists.refresh(),
      onLog: (level, data) => this.#log.take(level, data),
      onQuestion: (isOpen) => this.#calls.setAsking(isOpen),
    };
    return await connect(options, signal);
  }

  #take(connection: Connection): void {
    if (this.#closing.signal.aborted || this.#state.type !== 'connecting') {
      this.#ending.add(connection.end());
      return;
    }
    this.#connection = connection;
    this.#dispatch({ type: 'connected', atMs: this.#clock.now() });
    const over = new AbortController();
    // Comes first: its end has to be noticed here before the calls that it ends stop counting.
    void connection.ended.then((failure) => {
      over.abort();
      this.#lose(connection, failure);
    });
    void this.#disconnectWhenIdle(connection, over.signal);
    void this.lists.refresh();
    // It may have asked for the roots before they changed.
    if (this.#rootsChanged) {
      connection.tellRootsChanged();
    }
  }

  async #disconnectWhenIdle(connection: Connection, signal: AbortSignal): Promise<void> {
    const { limits } = this.#options.upstreams;
    this.#usedAtMs = this.#clock.now();
    for (;;) {
      const isUsed = this.#calls.size > 0 || this.#listing > 0 || this.#isReadingLists;
      const restMs = isUsed ? limits.idleMs : this.#usedAtMs + limits.idleMs - this.#clock.now();
      if (restMs <= 0) {
        this.#disconnect(connection);
        return;
      }
      if (!(await sleepUnlessAborted(this.#clock, restMs, signal))) {
        return;
      }
    }
  }

  #lose(connection: Connection, failure: ConnectionFailure | null): void {
    this.#ending.add(connection.end());
    if (this.#connection !== connection) {
      return;
    }
    this.#connection = null;
    // A program may end while no call waits for it: that does not count as a failure.
    const hasHurt = failure !== null && (this.#calls.size > 0 || this.#listing > 0 || failure.kind === 'flooding');
    const atMs = this.#clock.now();
    this.#dispatch(hasHurt ? { type: 'failed', atMs, failure } : { type: 'ended' });
  }

  /** Does nothing if the connection is not the current one. */
  #disconnect(connection: Connection | null): void {
    if (connection !== null && this.#connection === connection) {
      this.#connection = null;
      this.#ending.add(connection.end());
      this.#dispatch({ type: 'ended' });
    }
  }

  #dispatch(event: ConnectionEvent): void {
    const before = this.#state;
    this.#state = nextConnectionState(before, event);
    if (this.#state.type !== before.type) {
      this.#options.onChange();
    }
  }

  /** Adds the user's remedy. */
  #explain(detail: string): string {
    const { login } = this.#options.upstreams.remedies ?? { login: loginCommand };
    const isWaiting = this.#state.type === 'awaiting-login';
    return isWaiting ? `Login required: ${login(this.#entry.name)}` : detail;
  }

  async #readLists(signal: AbortSignal): Promise<ListsReading | null> {
    const connection = this.#connection;
    if (connection === null) {
      return null;
    }
    const { limits } = this.#options.upstreams;
    const late = abortAfter(this.#clock, limits.listMs);
    this.#isReadingLists = true;
    const reading = await readLists(connection, this.#clock.now(), AbortSignal.any([signal, late.signal]));
    this.#isReadingLists = false;
    this.#usedAtMs = this.#clock.now();
    late.cancel();
    return reading;
  }
}

/** `reply` is null if the call ended first. */
type Sent = { readonly reply: ServerReply | null; readonly wasSent: boolean };
