import type { WarmLimits } from './warm-limits.ts';

/** What counts of a process when a call needs one. */
export type ProcessState = {
  readonly key: string;
  readonly isReady: boolean;
  /** Takes no more calls; ends with its last one. */
  readonly isRetiring: boolean;
  readonly running: number;
  readonly sessions: number;
  readonly rssBytes: number;
  readonly lastUsedAtMs: number;
};

export type Placement<T> =
  | { readonly type: 'use'; readonly process: T }
  | { readonly type: 'start' }
  /** Ends an idle process of another kind, and starts one. */
  | { readonly type: 'replace'; readonly process: T }
  /** Until any process is ready, has a run less or is gone. */
  | { readonly type: 'wait' };

type PlaceLimits = Pick<
  WarmLimits,
  'maxProcesses' | 'maxRunsPerProcess' | 'maxSessions' | 'maxRssBytes' | 'hardFactor'
>;

/** Where a call of a kind goes: to the process that is ready and has the least to do; else to one that is to come. */
export function placeCall<T extends ProcessState>(
  key: string,
  processes: readonly T[],
  limits: PlaceLimits,
): Placement<T> {
  const usable = processes.filter((process) => process.key === key && isOpen(process, limits));
  const ready = usable.filter(({ isReady }) => isReady);
  // One that is over its limit is the last choice: there is another as soon as that is ready.
  const [best] = ready.toSorted(
    (one, other) => Number(isWorn(one, limits)) - Number(isWorn(other, limits)) || one.running - other.running,
  );
  if (best !== undefined) {
    return { type: 'use', process: best };
  }
  return usable.length > 0 ? { type: 'wait' } : placeNew(processes, limits);
}

/** Where a process that is to come takes its place. */
export function placeNew<T extends ProcessState>(processes: readonly T[], limits: PlaceLimits): Placement<T> {
  if (processes.length < limits.maxProcesses) {
    return { type: 'start' };
  }
  const [oldest] = processes
    .filter(({ isReady, running }) => isReady && running === 0)
    .toSorted((one, other) => one.lastUsedAtMs - other.lastUsedAtMs);
  return oldest === undefined ? { type: 'wait' } : { type: 'replace', process: oldest };
}

/** Whether a process is to be replaced. */
export function isWorn({ sessions, rssBytes }: ProcessState, { maxSessions, maxRssBytes }: PlaceLimits): boolean {
  return sessions >= maxSessions || rssBytes >= maxRssBytes;
}

function isOpen(process: ProcessState, limits: PlaceLimits): boolean {
  const { isRetiring, running } = process;
  const isFull = running >= limits.maxRunsPerProcess;
  return !(isRetiring || isFull || isUsedUp(process, limits));
}

/** Whether a process may not take one more call, whoever has to wait. */
export function isUsedUp({ sessions, rssBytes }: ProcessState, limits: PlaceLimits): boolean {
  const { maxSessions, maxRssBytes, hardFactor } = limits;
  return sessions >= maxSessions * hardFactor || rssBytes >= maxRssBytes * hardFactor;
}
