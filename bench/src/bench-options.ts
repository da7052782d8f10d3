import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.ts';

export type BenchOptions = {
  /** Null leaves each benchmark its own number. */
  readonly rounds: number | null;
  /** Name of the one benchmark to run, null for all. */
  readonly only: string | null;
};

const maxRounds = 1_000;

/** What the bench accepts, with the names of its benchmarks. */
export function usage(benchmarks: readonly Benchmark[]): string {
  return `Options:
  --rounds N     rounds of each benchmark, 1 to ${maxRounds}
  --only NAME    one benchmark: ${benchmarks.map(({ name }) => name).join(', ')}
`;
}

/** Reads the command line. Throws a `TypeError` that says which option is wrong. */
export function readBenchOptions(args: readonly string[], benchmarks: readonly Benchmark[]): BenchOptions {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: 'string' }, only: { type: 'string' } } });
  const { rounds, only = null } = values;
  if (only !== null && !benchmarks.some(({ name }) => name === only)) {
    throw new TypeError(`--only: there is no benchmark ${JSON.stringify(only)}`);
  }
  return { rounds: rounds === undefined ? null : readRounds(rounds), only };
}

function readRounds(text: string): number {
  const rounds = Number(text);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > maxRounds) {
    throw new TypeError(`--rounds: ${JSON.stringify(text)} is not a whole number from 1 to ${maxRounds}`);
  }
  return rounds;
}
