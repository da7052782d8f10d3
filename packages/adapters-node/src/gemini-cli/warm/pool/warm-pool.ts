import type { Clock } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';
import type { StartProblem } from '../../../processes/describe-start-error.ts';
import { untilAborted } from '../../until-aborted.ts';
import type { AcpProcess } from '../process/acp-process.ts';
import type { ProcessKind } from '../process/process-kind.ts';
import { startAcpProcess } from '../process/start-acp-process.ts';
import type { WarmLimits } from '../warm-limits.ts';
import { type Assignment, assignCall, isOpen, isUsedUp, isWorn } from './assign-call.ts';
import type { PoolEndReason, PoolReport } from './pool-report.ts';
import { PooledProcess } from './pooled-process.ts';

type WarmPoolOptions = {
  readonly clock: Clock;
  readonly limits: WarmLimits;
  readonly runsDirectory: string;
  readonly userDirectory: string;
  readonly onPool?: (report: PoolReport) => void;
};

/** A request for a process. */
type LeaseRequest = {
  readonly kind: ProcessKind;
  /** The conversation that the process should preferably hold; null without one. */
  readonly digest: string | null;
  /** The owner of the call; null without one. */
  readonly owner: string | null;
};

type Lease =
  | { readonly ok: true; readonly pooled: PooledProcess }
  /** No such process is available; null if the wait was aborted, or the pool is closed. */
  | { readonly ok: false; readonly problem: StartProblem | null };

/** The `gemini --acp` processes: as few as the calls need, each for calls of one kind. */
export class WarmPool {
  readonly #options: WarmPoolOptions;
  readonly #members = new Map<PooledProcess, Promise<StartProblem | null>>();
  readonly #endings = new Set<Promise<void>>();
  readonly #bell = new ChangeBell();
  #isClosed = false;

  constructor(options: WarmPoolOptions) {
    this.#options = options;
  }

  /** Leases a process of the kind; each lease has its `release`. Prefers one that holds the conversation. Never rejects. */
  async lease(request: LeaseRequest, signal: AbortSignal): Promise<Lease> {
    while (!(signal.aborted || this.#isClosed)) {
      const assignment = this.#assign(request);
      const lease =
        assignment.type === 'use'
          ? this.#occupy(assignment.process, request)
          : await this.#makeRoom(assignment, request, signal);
      if (lease !== null && !(this.#isClosed && !lease.ok)) {
        return lease;
      }
    }
    // A call whose tool server ends fails on every backend.
    return { ok: false, problem: null };
  }

  release(pooled: PooledProcess): void {
    pooled.running -= 1;
    pooled.updateKeepAlive();
    pooled.lastUsedAtMs = this.#options.clock.now();
    this.#bell.ring();
    void this.#tend(pooled);
  }

  report(report: PoolReport): void {
    this.#options.onPool?.(report);
  }

  /** Ends all processes. Resolves after all of them are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#bell.ring();
    await Promise.all([...this.#members.keys()].map((pooled) => this.#end(pooled, 'closed')));
    await Promise.all(this.#endings);
  }

  #assign({ kind: { key }, digest, owner }: LeaseRequest): Assignment<PooledProcess> {
    const { limits } = this.#options;
    const members = [...this.#members.keys()];
    const keeper =
      digest === null
        ? undefined
        : members.find((pooled) => pooled.key === key && isOpen(pooled, limits) && pooled.holds(digest));
    return keeper === undefined
      ? assignCall({ key, owner: owner ?? '' }, members, limits)
      : { type: 'use', process: keeper };
  }

  #occupy(pooled: PooledProcess, { owner }: LeaseRequest): Lease {
    if (owner !== null) {
      pooled.owners.add(owner);
    }
    pooled.running += 1;
    pooled.updateKeepAlive();
    pooled.calls += 1;
    pooled.idling.abort();
    if (pooled.kind.isAlone) {
      pooled.isRetiring = true;
    }
    return { ok: true, pooled };
  }

  /** Resolves to a lease or to the reason for its absence; to null if another look is worthwhile. */
  async #makeRoom(
    assignment: Exclude<Assignment<PooledProcess>, { type: 'use' }>,
    request: LeaseRequest,
    signal: AbortSignal,
  ): Promise<Lease | null> {
    if (assignment.type === 'wait') {
      return assignment.process === null
        ? untilAborted(this.#bell.rung(), signal)
        : this.#awaitStart(assignment.process, request, signal);
    }
    if (assignment.type === 'replace') {
      await untilAborted(this.#end(assignment.process, 'evicted'), signal);
    }
    // Another waiting call may have been quicker.
    const { kind, owner } = request;
    return this.#hasRoom && !signal.aborted
      ? this.#awaitStart(this.#start(kind, owner === null ? [] : [owner]), request, signal)
      : null;
  }

  async #awaitStart(pooled: PooledProcess, request: LeaseRequest, signal: AbortSignal): Promise<Lease | null> {
    pooled.awaited += 1;
    pooled.updateKeepAlive();
    const failure = await untilAborted(this.#members.get(pooled) ?? Promise.resolve(null), signal);
    pooled.awaited -= 1;
    // Synchronous: a call that waits for room would otherwise end an idle process.
    const isOurs = failure === null && !signal.aborted && isOpen(pooled, this.#options.limits);
    const lease = isOurs ? this.#occupy(pooled, request) : null;
    pooled.updateKeepAlive();
    return failure === null ? lease : { ok: false, problem: failure };
  }

  get #hasRoom(): boolean {
    return !this.#isClosed && this.#members.size < this.#options.limits.maxProcesses;
  }

  #start(kind: ProcessKind, owners: Iterable<string>): PooledProcess {
    const pooled = new PooledProcess(kind, owners, this.#options.clock.now());
    this.#members.set(pooled, this.#bringUp(pooled));
    return pooled;
  }

  /** Resolves to the reason why the process did not start, or to null if it is ready. */
  async #bringUp(pooled: PooledProcess): Promise<StartProblem | null> {
    const { clock } = this.#options;
    const onSpawned = (process: AcpProcess): void => {
      pooled.process = process;
      pooled.updateKeepAlive();
      this.report({ type: 'started', processId: pooled.id });
      this.#track(this.#whenEnded(pooled, process));
      if (pooled.endReason !== null) {
        void process.end();
      }
    };
    const start = await startAcpProcess({ ...this.#options, kind: pooled.kind, onSpawned });
    if (!start.ok) {
      pooled.endReason ??= 'start-failed';
      this.#forget(pooled);
      this.#reportEnd(pooled, start.detail);
      return start;
    }
    pooled.isUp = true;
    this.report({ type: 'ready', processId: pooled.id, afterMs: clock.now() - pooled.startedAtMs });
    this.#bell.ring();
    void this.#tend(pooled);
    return null;
  }

  async #whenEnded(pooled: PooledProcess, process: AcpProcess): Promise<void> {
    const { fault } = await process.ended;
    pooled.idling.abort();
    this.#forget(pooled);
    if (pooled.isUp) {
      pooled.endReason ??= fault === null ? 'crashed' : 'fault';
      this.#reportEnd(pooled, fault ?? '');
    }
  }

  /** Maintains a process after each call, and once it is ready. */
  async #tend(pooled: PooledProcess): Promise<void> {
    const { limits } = this.#options;
    await pooled.measure();
    if (this.#isClosed || pooled.process?.isThere !== true) {
      return;
    }
    if (pooled.phase === 'ready' && isWorn(pooled, limits)) {
      this.#succeed(pooled);
    }
    if (pooled.running > 0) {
      return;
    }
    if (pooled.phase === 'ready') {
      void this.#endWhenIdle(pooled);
      await pooled.fillSpares(limits.spareSessions, limits.sessionTimeoutMs);
      return;
    }
    await this.#end(pooled, whyDone(pooled, limits));
    if (this.#hasRoom && !pooled.kind.isAlone && !this.#othersOf(pooled).some(({ phase }) => phase !== 'leaving')) {
      this.#start(pooled.kind, pooled.owners);
    }
  }

  /** Replaces a worn process, which carries on, if it may, until the new one is ready. */
  #succeed(pooled: PooledProcess): void {
    const { limits } = this.#options;
    const others = this.#othersOf(pooled);
    const fresh = others.filter((other) => other.phase !== 'leaving' && !isWorn(other, limits));
    if (fresh.some(({ phase }) => phase === 'ready') || isUsedUp(pooled, limits)) {
      pooled.isRetiring = true;
    } else if (fresh.length === 0 && this.#hasRoom) {
      void this.#members.get(this.#start(pooled.kind, pooled.owners))?.then((failure) => {
        // If no slot is free now, the next call tries again.
        return failure === null ? this.#tend(pooled) : undefined;
      });
    } else if (fresh.length === 0 && pooled.running === 0) {
      pooled.isRetiring = true;
    }
  }

  #othersOf(pooled: PooledProcess): readonly PooledProcess[] {
    return [...this.#members.keys()].filter((other) => other !== pooled && other.key === pooled.key);
  }

  async #endWhenIdle(pooled: PooledProcess): Promise<void> {
    const { clock, limits } = this.#options;
    pooled.idling.abort();
    const idling = new AbortController();
    pooled.idling = idling;
    if ((await sleepUnlessAborted(clock, limits.idleMs, idling.signal)) && pooled.running === 0) {
      await this.#end(pooled, 'idle');
    }
  }

  async #end(pooled: PooledProcess, reason: PoolEndReason): Promise<null> {
    pooled.endReason ??= reason;
    pooled.isRetiring = true;
    pooled.idling.abort();
    const started = this.#members.get(pooled);
    await pooled.process?.end();
    await started;
    return null;
  }

  #reportEnd({ id: processId, endReason, startedAtMs, sessions }: PooledProcess, detail: string): void {
    const lifetimeMs = this.#options.clock.now() - startedAtMs;
    this.report({ type: 'ended', processId, reason: endReason ?? 'crashed', detail, sessions, lifetimeMs });
  }

  #forget(pooled: PooledProcess): void {
    this.#members.delete(pooled);
    this.#bell.ring();
  }

  #track(ending: Promise<void>): void {
    this.#endings.add(ending);
    void ending.finally(() => this.#endings.delete(ending));
  }
}

/** Wakes all who wait for a change; later callers wait for the next one. */
class ChangeBell {
  #waiters: (() => void)[] = [];

  rung(): Promise<null> {
    return new Promise((resolve) => this.#waiters.push(() => resolve(null)));
  }

  ring(): void {
    for (const wake of this.#waiters.splice(0)) {
      wake();
    }
  }
}

/** Why a process ends that takes no more calls. */
function whyDone({ kind, sessions }: PooledProcess, { maxSessions }: WarmLimits): PoolEndReason {
  const wear = sessions >= maxSessions ? 'sessions' : 'memory';
  return kind.isAlone ? 'alone' : wear;
}
