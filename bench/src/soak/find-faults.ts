import type { PhaseResult } from './run-phase.ts';
import type { Sample } from './take-sample.ts';

/** More than chance gives one time in a thousand. */
const standardErrors = 3;

/** Growth over the second half counts only above this part of the mean. */
const tolerance = 0.05;

/** Allocators and caches of compiled code go on settling for a while. */
const tolerableBytes = 8 * 1_048_576;

/** What may stay of a thousand calls in a heap that was collected, which settles sooner. */
const tolerableHeapBytes = 1_048_576;

/** Node opens one when it starts its first child, and keeps it. */
const openedOnce = 1;

export const measured = ['processes', 'descriptors', 'files', 'ownRssBytes', 'ownHeapBytes', 'childRssBytes'] as const;

/** The line through the second half of one figure's samples. */
export function slopeOf(samples: readonly Sample[], name: keyof Sample): Slope {
  return fitSlope(samples.slice(Math.floor(samples.length / 2)).map((sample) => sample[name]));
}

/** The faults of a phase, each in one sentence; empty if all is well. */
export function findFaults(result: PhaseResult): readonly string[] {
  const { calls, endings, wrong, samples, before, after } = result;
  const ended = [...endings.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...[...wrong].map(([name, count]) => `${name}, ${count} times.`),
    ...(ended === calls ? [] : [`${calls - ended} calls have not ended.`]),
    ...(endings.has('answered') ? [] : ['No call was answered.']),
    ...measured.filter((name) => isGrowing(name, slopeOf(samples, name), calls)).map((name) => `${name} grow.`),
    ...(['processes', 'files'] as const).filter((name) => after[name] > 0).map((name) => `${name} are left.`),
    ...(after.descriptors > before.descriptors + openedOnce ? ['Descriptors are left.'] : []),
  ];
}

function isGrowing(name: keyof Sample, { growth, error, mean }: Slope, calls: number): boolean {
  return growth > tolerableGrowth(name, mean, calls) && growth > error * standardErrors;
}

function tolerableGrowth(name: keyof Sample, mean: number, calls: number): number {
  if (name === 'ownHeapBytes') {
    return tolerableHeapBytes * Math.max(1, calls / 2_000);
  }
  return Math.max(mean * tolerance, name.endsWith('Bytes') ? tolerableBytes : 0);
}

/** A straight line through equidistant values. */
export type Slope = {
  readonly mean: number;
  /** How much the line rises from the first value to the last. */
  readonly growth: number;
  /** Standard error of that. */
  readonly error: number;
};

/** Least squares; no growth for fewer than three values. */
export function fitSlope(values: readonly number[]): Slope {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, count);
  if (count < 3) {
    return { mean, growth: 0, error: 0 };
  }
  const middle = (count - 1) / 2;
  const spread = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  const slope = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0) / spread;
  const rest = values.reduce((sum, value, index) => sum + (value - mean - slope * (index - middle)) ** 2, 0);
  const error = Math.sqrt(rest / (count - 2) / spread);
  return { mean, growth: slope * (count - 1), error: error * (count - 1) };
}
