import { fairShare } from '@gemini-mcp/core/internal';
import type { WarmLimits } from '../warm-limits.ts';

/** What counts of a process when a call needs one. */
export type ProcessState = {
  readonly key: string;
  /** One that is leaving takes no more calls: it ends with its last one, or has ended and is not cleared away yet. */
  readonly phase: 'starting' | 'ready' | 'leaving';
  readonly running: number;
  /** Calls that wait for it to come up. */
  readonly awaited: number;
  readonly calls: number;
  readonly sessions: number;
  readonly rssBytes: number;
  readonly lastUsedAtMs: number;
  /** Whose calls it was started for or has carried. */
  readonly owners: ReadonlySet<string>;
};

export type Assignment<T> =
  | { readonly type: 'use'; readonly process: T }
  | { readonly type: 'start' }
  /** Ends an idle process of another kind, and starts one. */
  | { readonly type: 'replace'; readonly process: T }
  /** Until this one has come up; null: until any process is ready, has a run less or is gone. */
  | { readonly type: 'wait'; readonly process: T | null };

type AssignLimits = Pick<
  WarmLimits,
  'maxProcesses' | 'maxRunsPerProcess' | 'maxSessions' | 'maxRssBytes' | 'hardFactor'
>;

/** What a call brings that needs a process. */
export type CallToAssign = {
  readonly key: string;
  readonly owner: string;
};

/** Where a call of a kind goes: to the process that is ready and has the least to do; else to one that is to come. */
export function assignCall<T extends ProcessState>(
  { key, owner }: CallToAssign,
  processes: readonly T[],
  limits: AssignLimits,
): Assignment<T> {
  const ofKind = processes.filter((process) => process.key === key);
  // One that is over its limit is the last choice: there is another as soon as that is ready.
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
  // Until one of a kind has come up, none may: a single start tells that to all.
  const isProven = ofKind.some(({ phase }) => phase === 'ready');
  return next !== undefined && (!isProven || next.awaited < limits.maxRunsPerProcess)
    ? { type: 'wait', process: next }
    : findRoom(owner, processes, limits);
}

/**
 * How a process that is to come gets room. Where there is none, an idle one has to go: of the owner itself, as long
 * as it has one; else of the owner that has the most; last one that several owners use, or none yet. An owner that has its share
 * of the processes (`fairShare`) while others have some takes no more from them: calls of ever new kinds end its own alone.
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
  // One that is about to go makes room enough.
  return first === undefined || idle.some(({ phase }) => phase === 'leaving')
    ? { type: 'wait', process: null }
    : { type: 'replace', process: first.process };
}

/** How early a process goes to make room for a call of the owner: the highest first. */
function rankOf(process: ProcessState, owner: string, processes: readonly ProcessState[]): number {
  const soleOwner = soleOwnerOf(process);
  if (soleOwner === owner) {
    return processes.length + 1;
  }
  return soleOwner === null ? 0 : countOf(soleOwner, processes);
}

/** Null for a process that several owners use, or none yet. */
function soleOwnerOf({ owners }: ProcessState): string | null {
  const [first = null] = owners.size === 1 ? owners : [];
  return first;
}

/** How many processes an owner has for itself. */
function countOf(owner: string, processes: readonly ProcessState[]): number {
  return processes.filter((process) => soleOwnerOf(process) === owner).length;
}

/** Whether a process may be given one more call. */
export function isOpen(process: ProcessState, limits: AssignLimits): boolean {
  return process.phase === 'ready' && process.running < limits.maxRunsPerProcess && !isUsedUp(process, limits);
}

/** Whether a process is to be replaced. One that has carried nothing is not: its successor would be no better. */
export function isWorn(
  { calls, sessions, rssBytes }: ProcessState,
  { maxSessions, maxRssBytes }: AssignLimits,
): boolean {
  return calls > 0 && (sessions >= maxSessions || rssBytes >= maxRssBytes);
}

/** Whether a process may not take one more call, whichever call has to wait. */
export function isUsedUp(process: ProcessState, limits: AssignLimits): boolean {
  const { maxSessions, maxRssBytes, hardFactor } = limits;
  return isWorn(process, { ...limits, maxSessions: maxSessions * hardFactor, maxRssBytes: maxRssBytes * hardFactor });
}
