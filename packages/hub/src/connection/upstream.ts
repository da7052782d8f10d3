import { createRedactor, hasSlept, loginCommand, type ServerLists, type ServerReply } from '@gemini-mcp/core/internal';
import { endBy } from './call-end.ts';
import type { CallTime } from './call-time.ts';
import { CallTimes } from './call-times.ts';
import { ConnectionKeeper, type Holding } from './connection-keeper.ts';
import { ListKeeper } from './list-keeper.ts';
import { type ConnectionAttempt, openConnection } from './open-connection.ts';
import type { ServerProgress } from './own-requests.ts';
import { type ListsReading, readLists } from './read-lists.ts';
import type { RequestOutcome } from './server-connection.ts';
import { ServerLog } from './server-log.ts';
import type { UpstreamOptions, UpstreamRequest, UpstreamStatus } from './upstream-options.ts';

/**
 * Another MCP server, for one owner. It is connected when something is first asked of it, and then asked for its lists, which are kept: from
 * then on they are there without it. Nothing here rejects, and nothing waits for longer than its limits.
 */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #keeper: ConnectionKeeper;
  readonly #lists: ListKeeper;
  readonly #calls: CallTimes;
  /** Since the last connection was begun. */
  #rootsChanged = false;
  #hasNewLogin: () => Promise<boolean> = async () => false;
  #whyRefused: () => Promise<string | null> = async () => null;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    const { clock, limits, configuration, keptLists, key, onChange } = options;
    this.#calls = new CallTimes({ clock, timeoutMs: configuration.callTimeoutMs });
    const log = new ServerLog({ clock, write: (line) => options.log(`${configuration.name}: ${line}`) });
    this.#lists = new ListKeeper({
      clock,
      kept: keptLists,
      key,
      relistMs: limits.relistMs,
      read: (signal) => this.#readLists(signal),
      onChange: () => onChange('lists'),
    });
    this.#keeper = new ConnectionKeeper({
      clock,
      idleMs: limits.idleMs,
      hasNewLogin: () => this.#hasNewLogin(),
      isEnabled: configuration.isEnabled,
      open: (signal) => this.#open(log, signal),
      onState: () => onChange('state'),
      onConnected: () => this.#connected(),
    });
  }

  get name(): string {
    return this.#options.configuration.name;
  }

  /** Whether there is no connection and no call, and none is under way. */
  get isIdle(): boolean {
    return this.#calls.size === 0 && this.#keeper.isIdle;
  }

  async status(): Promise<UpstreamStatus> {
    const { configuration, transport } = this.#options;
    return {
      name: configuration.name,
      transport,
      state: this.#keeper.state,
      lists: await this.#lists.known(),
      listProblem: this.#keeper.state.type === 'awaiting-login' ? await this.#whyRefused() : this.#lists.problem,
    };
  }

  /** The lists as they are known, at once; null where they never were. */
  async knownLists(): Promise<ServerLists | null> {
    return await this.#lists.known();
  }

  /**
   * Connects, and has the lists read. Resolves when they are, or cannot be: to null where there is a connection, otherwise to why there is
   * none, in sentences for a user; empty after an abort.
   */
  async connect(signal: AbortSignal): Promise<string | null> {
    const holding = await this.#keeper.use(() => this.#lists.refresh(), endBy(signal));
    return holding.type === 'held' ? null : holding.type === 'refused' ? this.#explain(holding.detail) : '';
  }

  /** Asks the server; connects first where there is no connection. An abort reaches the server as `notifications/cancelled`. */
  async request(request: UpstreamRequest, signal: AbortSignal): Promise<ServerReply> {
    const { maxCalls } = this.#options.limits;
    if (this.#calls.size >= maxCalls) {
      return { type: 'unavailable', detail: `It has ${maxCalls} calls to answer already.`, wasSent: false };
    }
    const time = this.#calls.begin(request.deadlineAtMs, signal);
    const sent = { wasSent: false };
    try {
      const outcome = await this.#ask(request, { time, sent });
      return outcome ?? { type: signal.aborted ? 'cancelled' : 'timed-out', ...sent };
    } finally {
      time.end();
    }
  }

  /** The roots are others: the server hears so where it runs. */
  rootsChanged(): void {
    this.#rootsChanged = true;
    void this.#keeper.useExisting(async (connection) => connection.tellRootsChanged());
  }

  enable(isEnabled: boolean): void {
    this.#keeper.enable(isEnabled);
  }

  /** The user has logged in. */
  loggedIn(): void {
    this.#keeper.loggedIn();
  }

  /** Ends the connection for good, and resolves once nothing of it is left. */
  async close(): Promise<void> {
    this.#lists.close();
    this.#calls.close();
    await this.#keeper.close();
  }

  async #open(log: ServerLog, signal: AbortSignal): Promise<ConnectionAttempt> {
    const { reach, configuration } = this.#options;
    this.#rootsChanged = false;
    const reached = await reach(signal);
    if (!reached.isKnown) {
      const failure = { kind: 'misconfigured' as const, detail: reached.problem };
      return { opening: { type: 'failed', failure }, ending: Promise.resolve() };
    }
    const { transport, fetch, secrets = [], hasNewLogin, whyRefused } = reached;
    this.#hasNewLogin = hasNewLogin ?? this.#hasNewLogin;
    this.#whyRefused = whyRefused ?? this.#whyRefused;
    return await openConnection(
      {
        ...this.#options,
        fetch,
        redact: createRedactor(secrets),
        configuration: { ...configuration, transport },
        onListChanged: () => this.#refresh(),
        onLog: (level, data) => log.take(level, data),
        onQuestion: (isOpen) => this.#calls.setAsking(isOpen),
      },
      signal,
    );
  }

  /** Null where its time is over. */
  async #ask(request: UpstreamRequest, asking: Asking): Promise<ServerReply | null> {
    const first = await this.#askOnce(request, asking);
    // A session that the server has forgotten took nothing: the same is asked in a new one.
    const isForgotten = first?.type === 'unavailable' && !first.wasSent && asking.sent.wasSent;
    asking.sent.wasSent &&= !isForgotten;
    return isForgotten ? await this.#askOnce(request, asking) : first;
  }

  async #askOnce({ method, params, onProgress }: UpstreamRequest, { time, sent }: Asking): Promise<ServerReply | null> {
    const holding = await this.#keeper.use((connection) => {
      sent.wasSent = true;
      time.heard();
      const hear = (progress: ServerProgress): void => {
        time.heard();
        onProgress?.(progress);
      };
      return connection.request({ method, params, onProgress: hear }, time);
    }, time);
    return this.#read(holding);
  }

  #read(holding: Holding<RequestOutcome>): ServerReply | null {
    if (holding.type === 'aborted') {
      return null;
    }
    if (holding.type === 'refused') {
      return { type: 'unavailable', detail: this.#explain(holding.detail), wasSent: false };
    }
    const { result } = holding;
    switch (result.type) {
      case 'answered':
      case 'error':
      case 'unreadable':
        this.#keeper.served();
        return result;
      case 'lost':
        return { type: 'unavailable', detail: result.failure.detail, wasSent: result.wasSent };
      case 'login-wanted':
        this.#keeper.wantsLogin(result.challenge);
        return { type: 'unavailable', detail: this.#explain(''), wasSent: false };
      case 'not-offered':
        return { type: 'error', message: 'It has nothing of this kind.' };
      case 'aborted':
        return null;
    }
  }

  #connected(): void {
    this.#refresh();
    // It may have asked for them already.
    if (this.#rootsChanged) {
      this.rootsChanged();
    }
  }

  /** With the remedy, where the user has it at hand. */
  #explain(detail: string): string {
    return this.#keeper.state.type === 'awaiting-login' ? `It wants a login: ${loginCommand(this.name)}` : detail;
  }

  #refresh(): void {
    void this.#lists.refresh();
  }

  async #readLists(signal: AbortSignal): Promise<ListsReading | null> {
    const { clock, limits } = this.#options;
    const late = new AbortController();
    const over = new AbortController();
    void hasSlept(clock, limits.listMs, over.signal).then((isOver) => isOver && late.abort());
    const reading = await this.#keeper.useExisting((connection) =>
      readLists(connection, clock.now(), endBy(AbortSignal.any([signal, late.signal]))),
    );
    over.abort();
    return reading;
  }
}

type Asking = { readonly time: CallTime; readonly sent: { wasSent: boolean } };
