import type { WarmLimits } from '../warm-limits.ts';
import type { PoolEndReason } from './pool-report.ts';
import type { PooledProcess } from './pooled-process.ts';

/** Why a process ends that takes no more calls. */
export function whyDone({ kind, sessions }: PooledProcess, { maxSessions }: WarmLimits): PoolEndReason {
  const wear = sessions >= maxSessions ? 'sessions' : 'memory';
  return kind.isAlone ? 'alone' : wear;
}
