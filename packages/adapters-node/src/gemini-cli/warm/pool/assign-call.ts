import { fairShare } from '@gemini-mcp/core/internal';
import type { WarmLimits } from '../warm-limits.ts';

/** The state of a process that matters for assigning a call. */
export type ProcessState = {
  readonly key: string;
  /** A leaving process takes no more calls: it ends with its last one, or has ended and is being cleaned up. */
  readonly phase: 'starting' | 'ready' | 'leaving';
  readonly running: number;
  /** Calls that wait for it to become ready. */
  readonly awaited: number;
  readonly calls: number;
  readonly sessions: number;
  readonly rssBytes: number;
  readonly lastUsedAtMs: number;
  /** The owners of the calls that it was started for or has carried. */
  readonly owners: ReadonlySet<string>;
};

export type Assignment<T> =
  | { readonly type: 'use'; readonly process: T }
  | { readonly type: 'start' }
  /** Ends an idle process of another kind, and starts one. */
  | { readonly type: 'replace'; readonly process: T }
  /** Waits until this one is ready; null: until any process is ready, finishes a run or is gone. */
  | { readonly type: 'wait'; readonly process: T | null };

type AssignLimits = Pick<
  WarmLimits,
  'maxProcesses' | 'maxRunsPerProcess' | 'maxSessions' | 'maxRssBytes' | 'hardFactor'
>;

/** The properties of a call that needs a process. */
export type CallToAssign = {
  readonly key: string;
  readonly owner: string;
};

/** Assigns a call of a kind: to the ready process with the fewest runs; else to a future one. */
export function assignCall<T extends ProcessState>(
  { key, owner }: CallToAssign,
  processes: readonly T[],
  limits: AssignLimits,
): Assignment<T> {
  const ofKind = processes.filter((process) => process.key === key);
  // A process over its limit is the last choice: its replacement takes over as soon as it is ready.
  const [best] = ofKind
    .filter((process) => isOpen(process, limits))
    .toSorted(
      (one, other) => Number(isWorn(one, limits)) - Number(isWorn(other, limits)) || one.running - other.running,
    );
  if (best !== undefined) {
    return { type: 'use', process: best };
  }
  const [next] = ofKind
    .filter(({ phase }) => phase === 'starting')
    .toSorted((one, other) => one.awaited - other.awaited);
  // Until a process of the kind is ready, start only one: a single start shows whether it works.
  const isProven = ofKind.some(({ phase }) => phase === 'ready');
  return next !== undefined && (!isProven || next.awaited < limits.maxRunsPerProcess)
    ? { type: 'wait', process: next }
    : findRoom(owner, processes, limits);
}

/**
 * How a new process gets room. If all slots are taken, an idle process has to go: first one of the owner itself; then one of the owner
 * with the most; last one with several owners or without any. An owner that has its fair share of the processes (`fairShare`) while
 * others have some takes no more from them: its calls of ever new kinds end only its own processes.
 */
export function findRoom<T extends ProcessState>(
  owner: string,
  processes: readonly T[],
  limits: AssignLimits,
): Exclude<Assignment<T>, { type: 'use' }> {
  if (processes.length < limits.maxProcesses) {
    return { type: 'start' };
  }
  const idle = processes.filter(({ running, awaited }) => running === 0 && awaited === 0);
  const own = countOf(owner, processes);
  const isAtShare = own >= fairShare(limits.maxProcesses) && own < processes.length;
  const [first] = idle
    .filter((process) => process.phase === 'ready' && (!isAtShare || soleOwnerOf(process) === owner))
    .map((process) => ({ process, rank: rankOf(process, owner, processes) }))
    .toSorted((one, other) => other.rank - one.rank || one.process.lastUsedAtMs - other.process.lastUsedAtMs);
  // A process about to leave makes enough room.
  return first === undefined || idle.some(({ phase }) => phase === 'leaving')
    ? { type: 'wait', process: null }
    : { type: 'replace', process: first.process };
}

/** The order of processes to end for a call of the owner: the highest first. */
function rankOf(process: ProcessState, owner: string, processes: readonly ProcessState[]): number {
  const soleOwner = soleOwnerOf(process);
  if (soleOwner === owner) {
    return processes.length + 1;
  }
  return soleOwner === null ? 0 : countOf(soleOwner, processes);
}

/** Null for a process with several owners, or without any. */
function soleOwnerOf({ owners }: ProcessState): string | null {
  const [first = null] = owners.size === 1 ? owners : [];
  return first;
}

/** The number of processes that only this owner uses. */
function countOf(owner: string, processes: readonly ProcessState[]): number {
  return processes.filter((process) => soleOwnerOf(process) === owner).length;
}

/** Whether a process may take one more call. */
export function isOpen(process: ProcessState, limits: AssignLimits): boolean {
  return process.phase === 'ready' && process.running < limits.maxRunsPerProcess && !isUsedUp(process, limits);
}

/** Whether to replace a process. One that has carried nothing stays: its successor would be no better. */
export function isWorn(
  { calls, sessions, rssBytes }: ProcessState,
  { maxSessions, maxRssBytes }: AssignLimits,
): boolean {
  return calls > 0 && (sessions >= maxSessions || rssBytes >= maxRssBytes);
}

/** Whether a process may not take one more call, even if calls have to wait. */
export function isUsedUp(process: ProcessState, limits: AssignLimits): boolean {
  const { maxSessions, maxRssBytes, hardFactor } = limits;
  return isWorn(process, { ...limits, maxSessions: maxSessions * hardFactor, maxRssBytes: maxRssBytes * hardFactor });
}
