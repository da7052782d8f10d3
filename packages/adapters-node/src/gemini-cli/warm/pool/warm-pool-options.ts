import type { Clock } from '@gemini-mcp/core';
import type { WarmLimits } from '../warm-limits.ts';
import type { PoolReport } from './pool-report.ts';

export type WarmPoolOptions = {
  readonly clock: Clock;
  readonly limits: WarmLimits;
  readonly runsDirectory: string;
  /** The user's own `.gemini` directory. */
  readonly userDirectory: string;
  readonly onPool?: (report: PoolReport) => void;
};
