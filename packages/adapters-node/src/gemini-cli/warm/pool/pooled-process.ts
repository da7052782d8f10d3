import { readFile } from 'node:fs/promises';
import type { AcpProcess } from '../process/acp-process.ts';
import type { ProcessKind } from '../process/process-kind.ts';
import { discardSession, openSession, type WarmSession } from '../session/warm-session.ts';
import type { ProcessState } from './assign-call.ts';
import type { PoolEndReason } from './pool-report.ts';

/** A process and the pool's state for it. */
export class PooledProcess implements ProcessState {
  readonly kind: ProcessKind;
  readonly startedAtMs: number;
  /** The location of the process; null until it is spawned. */
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
  /** Whether the process became ready. */
  isUp = false;
  /** Whether the process takes no more calls. */
  isRetiring = false;
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
    if (this.isRetiring || this.process?.isThere === false) {
      return 'leaving';
    }
    return this.isUp ? 'ready' : 'starting';
  }

  /** Call this after each change of `running` and `awaited`: a program that waits for nothing of the process may end. */
  updateKeepAlive(): void {
    this.process?.keepAlive(this.running > 0 || this.awaited > 0);
  }

  /** Invented for the process, for logs. */
  get id(): string {
    return this.process?.directory.runId ?? 'none';
  }

  /** An empty session, if one is ready. */
  takeSpare(): WarmSession | null {
    return this.#spares.shift() ?? null;
  }

  holds(digest: string): boolean {
    return this.#kept.has(digest);
  }

  /** The session that holds exactly this conversation; it then belongs to the caller. */
  takeKept(digest: string): WarmSession | null {
    const session = this.#kept.get(digest) ?? null;
    this.#kept.delete(digest);
    return session;
  }

  /** Keeps a session for the next turn of its conversation, in place of any other. */
  async keep(digest: string, session: WarmSession): Promise<void> {
    const other = this.takeKept(digest);
    this.#kept.set(digest, session);
    if (other !== null) {
      await this.discard(other);
    }
  }

  /** Opens spare sessions in the empty workspace, up to the limit; none for calls with tools. */
  async fillSpares(wanted: number, timeoutMs: number): Promise<void> {
    const { process, kind } = this;
    if (process === null || kind.hasModelTools) {
      return;
    }
    while (this.phase === 'ready' && this.#spares.length + this.#sparesToCome < wanted) {
      this.#sparesToCome += 1;
      this.sessions += 1;
      const opening = await openSession({ process, model: kind.model, warmTools: null, timeoutMs });
      this.#sparesToCome -= 1;
      if (!opening.ok) {
        if (opening.reply === 'timeout') {
          process.fault('did not open a session in time');
        }
        return;
      }
      this.#spares.push(opening.session);
    }
  }

  async discard(session: WarmSession): Promise<void> {
    if (this.process !== null) {
      await discardSession(this.process, session);
    }
  }

  /** Reads the memory use of the process, if the system reports it. */
  async measure(): Promise<void> {
    const pid = this.process?.pid;
    const status = pid == null ? '' : await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    this.rssBytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  }
}
