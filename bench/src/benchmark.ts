import type { Workbench } from './workbench.ts';

/** What a ratio may be. */
export type Target = {
  readonly limit: number;
  readonly isInclusive: boolean;
};

/** One line of the report: something of ours beside what it is compared with. */
export type Comparison = {
  readonly what: string;
  readonly unit: 'ms' | 'MB';
  /** Null where a figure stands alone. */
  readonly baseline: number | null;
  readonly ours: number;
  /** Null where nothing is promised. */
  readonly target: Target | null;
};

export type Benchmark = {
  readonly name: string;
  /** How often it measures unless it is told otherwise. */
  readonly defaultRounds: number;
  readonly run: (workbench: Workbench, rounds: number) => Promise<readonly Comparison[]>;
};

export function atMost(limit: number): Target {
  return { limit, isInclusive: true };
}

export function below(limit: number): Target {
  return { limit, isInclusive: false };
}
