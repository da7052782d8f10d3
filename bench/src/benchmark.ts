import type { Workbench } from './workbench.ts';

/** What a ratio may be, or the figure itself, in its unit; or how many times faster than its baseline a thing has to be. `share`: how much of its baseline a thing has to reach. */
export type Target =
  | { readonly of: 'ratio' | 'figure'; readonly limit: number; readonly isInclusive: boolean }
  | { readonly of: 'speedup'; readonly limit: number }
  | { readonly of: 'share'; readonly limit: number };

/** One line of the report: a figure of ours and its baseline. */
export type Comparison = {
  readonly what: string;
  readonly unit: 'ms' | 'MB' | '/s';
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
  return { of: 'ratio', limit, isInclusive: true };
}

export function below(limit: number): Target {
  return { of: 'ratio', limit, isInclusive: false };
}

export function figureBelow(limit: number): Target {
  return { of: 'figure', limit, isInclusive: false };
}

/** At least so many times as fast as the baseline. */
export function timesFaster(limit: number): Target {
  return { of: 'speedup', limit };
}

/** At least so much of the baseline, where more is better. */
export function atLeast(limit: number): Target {
  return { of: 'share', limit };
}
