import { notKnowing, type RunnerMutant } from './runner-mutant.ts';

/** Mutants of crashes. */
export const runnerCrashMutants: readonly RunnerMutant[] = [
  { name: 'unknown-crash', wrong: 'does not recognise a crash', mutate: notKnowing('crashed') },
];
