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
