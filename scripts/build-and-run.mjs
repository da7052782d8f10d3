// Installs, builds, and runs a program of this repository: `node scripts/build-and-run.mjs <arguments for node>`, from the root.
import { build, install, isInstallCurrent, isInstalled, run } from './run-step.mjs';

if (!isInstalled()) {
  console.error('Installing the packages of this repository and building it: the first time takes a minute or two.');
}
const steps = [...(isInstallCurrent() ? [] : [install]), build, () => run(process.execPath, process.argv.slice(2))];
for (const step of steps) {
  const exitCode = await step();
  if (exitCode !== 0) {
    process.exit(exitCode);
  }
}
