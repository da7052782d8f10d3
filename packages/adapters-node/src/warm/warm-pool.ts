import type { Clock } from '@gemini-mcp/core';
import { isUsedUp, isWorn, type Placement, placeCall, placeNew } from './place-call.ts';
import type { PoolEndReason, PoolReport } from './pool-report.ts';
import { PooledProcess } from './pooled-process.ts';
import type { ProcessKind } from './process-kind.ts';
import { startAcpProcess } from './start-acp-process.ts';
import type { WarmLimits } from './warm-limits.ts';

export type WarmPoolOptions = {
  readonly clock: Clock;
  readonly limits: WarmLimits;
  readonly runsDirectory: string;
  /** The user's own `.gemini` directory. */
  readonly userDirectory: string;
  readonly onPool?: (report: PoolReport) => void;
};

export type Lease =
  | { readonly ok: true; readonly pooled: PooledProcess }
  /** There is no such process to be had; null when the wait was given up. */
  | { readonly ok: false; readonly detail: string | null };

/** The `gemini --acp` processes: as few as the calls need, each for calls of one kind. */
export class WarmPool {
  readonly #options: WarmPoolOptions;
  readonly #members = new Map<PooledProcess, Promise<string | null>>();
  readonly #endings = new Set<Promise<void>>();
  #waiters: (() => void)[] = [];
  #isClosed = false;

  constructor(options: WarmPoolOptions) {
    this.#options = options;
  }

  /**
   * Gives a place on a process of the kind; each has its `release`. One that holds the conversation `digest` comes first.
   * Never rejects.
   */
  async lease(kind: ProcessKind, digest: string | null, signal: AbortSignal): Promise<Lease> {
    while (!(signal.aborted || this.#isClosed)) {
      const placement = this.#place(kind.key, digest);
      if (placement.type === 'use') {
        return { ok: true, pooled: this.#occupy(placement.process) };
      }
      const failure = await this.#makeRoom(placement, kind, signal);
      if (failure !== null) {
        return { ok: false, detail: failure };
      }
    }
    return { ok: false, detail: this.#isClosed && !signal.aborted ? 'the server is ending' : null };
  }

  /** Ends a call's place. */
  release(pooled: PooledProcess): void {
    pooled.running -= 1;
    pooled.lastUsedAtMs = this.#options.clock.now();
    this.#wakeAll();
    void this.#tend(pooled);
  }

  report(report: PoolReport): void {
    this.#options.onPool?.(report);
  }

  /** Ends all processes. Resolves when nothing is left of them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wakeAll();
    await Promise.all([...this.#members.keys()].map((pooled) => this.#end(pooled, 'closed')));
    await Promise.all(this.#endings);
  }

  #place(key: string, digest: string | null): Placement<PooledProcess> {
    const members = [...this.#members.keys()];
    const keeper =
      digest === null
        ? undefined
        : members.find((pooled) => pooled.key === key && pooled.isReady && !pooled.isRetiring && pooled.holds(digest));
    return keeper === undefined ? placeCall(key, members, this.#options.limits) : { type: 'use', process: keeper };
  }

  #occupy(pooled: PooledProcess): PooledProcess {
    pooled.running += 1;
    pooled.idling.abort();
    return pooled;
  }

  /** Resolves when it is worth looking again; to why, where it is not. */
  async #makeRoom(
    placement: Exclude<Placement<PooledProcess>, { type: 'use' }>,
    kind: ProcessKind,
    signal: AbortSignal,
  ): Promise<string | null> {
    if (placement.type === 'wait') {
      const [starting] = [...this.#members].filter(([{ key, isReady }]) => key === kind.key && !isReady);
      return unless(signal, starting === undefined ? this.#changed() : starting[1]);
    }
    if (placement.type === 'replace') {
      await unless(signal, this.#end(placement.process, 'evicted').then(nothing));
    }
    // Whoever waited beside us may have been quicker.
    const isFree = placeNew([...this.#members.keys()], this.#options.limits).type === 'start';
    return isFree && !signal.aborted && !this.#isClosed ? unless(signal, this.#start(kind)) : null;
  }

  /** Resolves to why the process did not come up, null when it did. */
  #start(kind: ProcessKind): Promise<string | null> {
    const pooled = new PooledProcess(kind, this.#options.clock.now());
    const started = this.#bringUp(pooled);
    this.#members.set(pooled, started);
    return started;
  }

  async #bringUp(pooled: PooledProcess): Promise<string | null> {
    const { clock } = this.#options;
    const { kind } = pooled;
    const onSpawned: Parameters<typeof startAcpProcess>[0]['onSpawned'] = (process) => {
      pooled.process = process;
      this.report({ type: 'started', processId: process.directory.runId });
      this.#track(this.#whenEnded(pooled));
      if (pooled.endReason !== null) {
        void process.end();
      }
    };
    const start = await startAcpProcess({ ...this.#options, kind, onSpawned });
    if (!start.ok) {
      pooled.endReason ??= 'start-failed';
      this.#forget(pooled);
      this.#reportEnd(pooled, start.detail);
      return start.detail;
    }
    pooled.isReady = true;
    const { runId } = start.process.directory;
    this.report({ type: 'ready', processId: runId, afterMs: clock.now() - pooled.startedAtMs });
    this.#wakeAll();
    void this.#tend(pooled);
    return null;
  }

  async #whenEnded(pooled: PooledProcess): Promise<void> {
    const end = await pooled.process?.ended;
    const wasReady = pooled.isReady;
    pooled.isReady = false;
    pooled.idling.abort();
    this.#forget(pooled);
    if (wasReady) {
      pooled.endReason ??= end?.fault == null ? 'crashed' : 'fault';
      this.#reportEnd(pooled, end?.fault ?? '');
    }
  }

  /** What is to be done about a process after each call, and once it is ready. */
  async #tend(pooled: PooledProcess): Promise<void> {
    const { limits } = this.#options;
    if (!pooled.isReady || this.#isClosed) {
      return;
    }
    await pooled.measure();
    if (isWorn(pooled, limits)) {
      this.#succeed(pooled);
    }
    if (pooled.isRetiring && pooled.running === 0) {
      await this.#end(pooled, pooled.sessions >= limits.maxSessions ? 'sessions' : 'memory');
      return;
    }
    if (pooled.running === 0) {
      void this.#endWhenIdle(pooled);
      await pooled.fillSpares(limits.spareSessions, limits.sessionTimeoutMs);
    }
  }

  /** Another takes over from one that is worn, which goes on until that is ready if it may. */
  #succeed(pooled: PooledProcess): void {
    const members = [...this.#members.keys()];
    const others = members.filter((other) => other !== pooled && other.key === pooled.key && !other.isRetiring);
    const fresh = others.filter((other) => !isWorn(other, this.#options.limits));
    if (fresh.some(({ isReady }) => isReady) || isUsedUp(pooled, this.#options.limits)) {
      pooled.isRetiring = true;
    } else if (fresh.length === 0 && members.length < this.#options.limits.maxProcesses) {
      void this.#start(pooled.kind).then(() => this.#tend(pooled));
    } else if (fresh.length === 0 && pooled.running === 0) {
      pooled.isRetiring = true;
    }
  }

  async #endWhenIdle(pooled: PooledProcess): Promise<void> {
    const { clock, limits } = this.#options;
    pooled.idling.abort();
    const idling = new AbortController();
    pooled.idling = idling;
    const isIdle = await clock.sleep(limits.idleMs, idling.signal).then(
      () => true,
      () => false,
    );
    if (isIdle && pooled.running === 0) {
      await this.#end(pooled, 'idle');
    }
  }

  async #end(pooled: PooledProcess, reason: PoolEndReason): Promise<void> {
    pooled.endReason ??= reason;
    pooled.isRetiring = true;
    pooled.idling.abort();
    const starting = this.#members.get(pooled);
    await pooled.process?.end();
    if (!pooled.isReady) {
      await starting;
    }
  }

  #reportEnd({ id: processId, endReason, startedAtMs, sessions }: PooledProcess, detail: string): void {
    const lifetimeMs = this.#options.clock.now() - startedAtMs;
    this.report({ type: 'ended', processId, reason: endReason ?? 'crashed', detail, sessions, lifetimeMs });
  }

  #forget(pooled: PooledProcess): void {
    this.#members.delete(pooled);
    this.#wakeAll();
  }

  #track(ending: Promise<void>): void {
    this.#endings.add(ending);
    void ending.finally(() => this.#endings.delete(ending));
  }

  #changed(): Promise<null> {
    return new Promise((resolve) => this.#waiters.push(() => resolve(null)));
  }

  #wakeAll(): void {
    for (const wake of this.#waiters.splice(0)) {
      wake();
    }
  }
}

function nothing(): null {
  return null;
}

/** Null when the signal is aborted first; what is waited for goes on. */
async function unless(signal: AbortSignal, event: Promise<string | null>): Promise<string | null> {
  const departure = new AbortController();
  const gone = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true, signal: departure.signal });
  });
  try {
    return signal.aborted ? null : await Promise.race([event, gone]);
  } finally {
    departure.abort();
  }
}
