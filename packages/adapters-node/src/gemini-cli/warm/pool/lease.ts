import type { StartProblem } from '../../../process/describe-start-error.ts';
import type { ProcessKind } from '../process/process-kind.ts';
import type { PooledProcess } from './pooled-process.ts';

/** What a process is asked for. */
export type LeaseRequest = {
  readonly kind: ProcessKind;
  /** Of the conversation that it would best hold; null for none. */
  readonly digest: string | null;
  /** On whose behalf; null where there is no owner. */
  readonly owner: string | null;
};

export type Lease =
  | { readonly ok: true; readonly pooled: PooledProcess }
  /** There is no such process to be had; null when the wait was given up, or the pool is closed. */
  | { readonly ok: false; readonly problem: StartProblem | null };
