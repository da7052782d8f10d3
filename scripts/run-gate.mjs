// Runs the gates of `npm test` and of the nightly run, and reports the duration of each.
import { build, install, runAside } from './run-step.mjs';

/** Calls `step`, which resolves to an exit code. Resolves to `{ name, seconds, passed, output: '' }`. */
export function runGate(name, step) {
  console.log(`\n== ${name}`);
  return time(name, async () => ({ exitCode: await step(), output: '' }));
}

/** Runs a program. Prints its output, which is in the result too, in one piece when it ends: several can run side by side. */
export async function runGateAside(name, [file, ...args]) {
  const gate = await time(name, () => runAside(file, args));
  console.log(`\n== ${name}\n${gate.output.trimEnd()}`);
  return gate;
}

/** Installs, and builds if that succeeded. Resolves to both gates. */
export async function prepare() {
  const installed = await runGate('install', install);
  return installed.passed ? [installed, await runGate('build', build)] : [installed];
}

async function time(name, step) {
  const startMs = performance.now();
  const { exitCode, output } = await step();
  return { name, seconds: (performance.now() - startMs) / 1_000, passed: exitCode === 0, output };
}
