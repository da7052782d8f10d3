import { notKnowing, type RunnerMutant } from './runner-mutant.ts';

/** What they make of a crash. */
export const runnerCrashMutants: readonly RunnerMutant[] = [
  { name: 'unknown-crash', wrong: 'does not know a crash', mutate: notKnowing('crashed') },
];
