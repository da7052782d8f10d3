// `npm run soak`: installs, builds, and makes a day's calls in minutes. Options after `--` go to it.
import { fileURLToPath } from 'node:url';
import { build, install, run } from './run-step.mjs';

const soak = fileURLToPath(new URL('../bench/dist/soak/main.js', import.meta.url));

const steps = [install, build, () => run(process.execPath, ['--expose-gc', soak, ...process.argv.slice(2)])];
for (const step of steps) {
  const exitCode = await step();
  if (exitCode !== 0) {
    process.exit(exitCode);
  }
}
