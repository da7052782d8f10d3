import { parseArgs } from 'node:util';
import { fakePhase } from './fake-phase.ts';
import { findFaults } from './find-faults.ts';
import { formatSoak } from './format-soak.ts';
import { realPhase } from './real-phase.ts';
import { runPhase } from './run-phase.ts';
import type { SoakPhase } from './soak-phase.ts';

/** The whole run ends after this long, whatever hangs. */
const longestMs = 60 * 60_000;

const usage =
  'Usage: npm run soak -- [--fake=<calls>] [--real=<calls>]   (20000 and 2000 if missing; 0 leaves a part out)';

const usageErrorExitCode = 2;
const lateExitCode = 3;
const interruptedExitCode = 130;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const calls = readCalls(args);
  if (calls === null) {
    console.error(usage);
    return usageErrorExitCode;
  }
  setTimeout(() => {
    console.error(`The soak was not done after ${longestMs / 60_000} minutes.`);
    process.exit(lateExitCode);
  }, longestMs).unref();
  const fake = calls.fake === 0 || (await soak(await fakePhase(calls.fake)));
  const real = calls.real === 0 || (await soak(await realPhase(calls.real)));
  return fake && real ? 0 : 1;
}

/** Null for unknown arguments. */
function readCalls(args: readonly string[]): { readonly fake: number; readonly real: number } | null {
  try {
    const options = { fake: { type: 'string', default: '20000' }, real: { type: 'string', default: '2000' } } as const;
    const { fake, real } = parseArgs({ args: [...args], options }).values;
    return /^\d+$/.test(fake) && /^\d+$/.test(real) ? { fake: Number(fake), real: Number(real) } : null;
  } catch {
    return null;
  }
}

/** Resolves to true if no fault was found. */
async function soak(phase: SoakPhase): Promise<boolean> {
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
