import { fakePhase } from './fake-phase.ts';
import { findFaults } from './find-faults.ts';
import { formatSoak } from './format-soak.ts';
import { realPhase } from './real-phase.ts';
import { runPhase } from './run-phase.ts';
import { readSoakOptions, soakUsage } from './soak-options.ts';
import type { SoakPhase } from './soak-phase.ts';

/** The whole of it ends by itself, whatever hangs. */
const longestMs = 60 * 60_000;

const usageErrorExitCode = 2;
const lateExitCode = 3;
const interruptedExitCode = 130;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const options = readSoakOptions(args);
  if (options === null) {
    console.error(soakUsage);
    return usageErrorExitCode;
  }
  setTimeout(() => {
    console.error(`The soak was not done after ${longestMs / 60_000} minutes.`);
    process.exit(lateExitCode);
  }, longestMs).unref();
  const fake = await soak(() => fakePhase(options.fakeCalls));
  const real = await soak(() => realPhase(options.realCalls));
  return fake && real ? 0 : 1;
}

/** Resolves to whether nothing was wrong. */
async function soak(open: () => Promise<SoakPhase | null>): Promise<boolean> {
  const phase = await open();
  if (phase === null) {
    return true;
  }
  const tidyUp = (): void => {
    void phase.runner
      .close()
      .then(phase.dispose)
      .finally(() => process.exit(interruptedExitCode));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, tidyUp);
  }
  const result = await runPhase(phase);
  const faults = findFaults(result);
  console.log(formatSoak(result, faults));
  return faults.length === 0;
}
