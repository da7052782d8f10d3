import { readFile } from 'node:fs/promises';
import type { AcpProcess } from '../process/acp-process.ts';
import type { ProcessKind } from '../process/process-kind.ts';
import { discardSession, openSession, type SessionOpening, type WarmSession } from '../session/warm-session.ts';
import type { ProcessState } from './assign-call.ts';

/** Why a warm process was ended, or ended by itself. */
export type PoolEndReason =
  /** It held as many sessions as one process should, or more memory. */
  | 'sessions'
  | 'memory'
  /** No call had come for a while. */
  | 'idle'
  /** It was for one call. */
  | 'alone'
  /** Another kind of call needed its room. */
  | 'evicted'
  | 'closed'
  /** It hung, flooded, wrote what is no protocol, or asked for what is never allowed. */
  | 'fault'
  | 'crashed'
  | 'start-failed';

/** What there is to tell of the warm processes, for a log. `processId` is made up for it; `detail` is text from strangers, redacted. */
export type PoolReport =
  | { readonly type: 'started'; readonly processId: string }
  | { readonly type: 'ready'; readonly processId: string; readonly afterMs: number }
  | {
      readonly type: 'ended';
      readonly processId: string;
      readonly reason: PoolEndReason;
      readonly detail: string;
      readonly sessions: number;
      readonly lifetimeMs: number;
    }
  /** A call on a process that ended, of which nothing had been said yet, is carried by another. */
  | { readonly type: 'retried'; readonly processId: string; readonly detail: string };

/** A process and what the pool knows of it. */
export class PooledProcess implements ProcessState {
  readonly kind: ProcessKind;
  readonly startedAtMs: number;
  /** Where the process is; null until it is spawned. */
  process: AcpProcess | null = null;
  running = 0;
  awaited = 0;
  calls = 0;
  sessions = 0;
  rssBytes = 0;
  lastUsedAtMs: number;
  readonly owners: Set<string>;
  endReason: PoolEndReason | null = null;
  /** Aborted by the next call. */
  idling: AbortController = new AbortController();
  #isUp = false;
  #isRetiring = false;
  readonly #spares: WarmSession[] = [];
  readonly #kept = new Map<string, WarmSession>();
  #sparesToCome = 0;

  constructor(kind: ProcessKind, owners: Iterable<string>, nowMs: number) {
    this.kind = kind;
    this.owners = new Set(owners);
    this.startedAtMs = nowMs;
    this.lastUsedAtMs = nowMs;
  }

  get key(): string {
    return this.kind.key;
  }

  get phase(): ProcessState['phase'] {
    if (this.#isRetiring || this.process?.isThere === false) {
      return 'leaving';
    }
    return this.#isUp ? 'ready' : 'starting';
  }

  /** Whether it has ever been ready. */
  get wasUp(): boolean {
    return this.#isUp;
  }

  comeUp(): void {
    this.#isUp = true;
  }

  /** After each change of `running` and `awaited`: a program that waits for nothing of the process may end. */
  updateKeepAlive(): void {
    this.process?.keepAlive(this.running > 0 || this.awaited > 0);
  }

  /** No more calls. */
  retire(): void {
    this.#isRetiring = true;
  }

  /** Made up for the process; for logs. */
  get id(): string {
    return this.process?.directory.runId ?? 'none';
  }

  /** A session that knows nothing, where one is ready. */
  takeSpare(): WarmSession | null {
    return this.#spares.shift() ?? null;
  }

  holds(digest: string): boolean {
    return this.#kept.has(digest);
  }

  /** The session that holds exactly this conversation; from now on it is the taker's. */
  takeKept(digest: string): WarmSession | null {
    const session = this.#kept.get(digest) ?? null;
    this.#kept.delete(digest);
    return session;
  }

  /** Keeps a session for the next turn of its conversation. Returns one that is to be discarded instead. */
  keep(digest: string, session: WarmSession): WarmSession | null {
    const other = this.#kept.get(digest) ?? null;
    this.#kept.set(digest, session);
    return other;
  }

  /** Makes sessions ahead, in the empty workspace, until there are so many; none for calls that bring tools. */
  async fillSpares(wanted: number, timeoutMs: number): Promise<void> {
    if (this.kind.lends) {
      return;
    }
    while (this.phase === 'ready' && this.#spares.length + this.#sparesToCome < wanted) {
      this.#sparesToCome += 1;
      const opening = await this.#openSpare(timeoutMs);
      this.#sparesToCome -= 1;
      if (!opening.ok) {
        if (opening.reply === 'timeout') {
          this.process?.fault('did not open a session in time');
        }
        return;
      }
      this.#spares.push(opening.session);
    }
  }

  /** Begins a session in the empty workspace of the process. */
  async #openSpare(timeoutMs: number): Promise<SessionOpening> {
    const { process, kind } = this;
    if (process === null) {
      return { ok: false, reply: { ok: false, closed: true } };
    }
    this.sessions += 1;
    return openSession({ process, model: kind.model, lent: null, timeoutMs });
  }

  async discard(session: WarmSession): Promise<void> {
    if (this.process !== null) {
      await discardSession(this.process, session);
    }
  }

  /** Looks how much memory the process holds, where the system tells. */
  async measure(): Promise<void> {
    const pid = this.process?.pid;
    const status = pid == null ? '' : await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    this.rssBytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  }
}
