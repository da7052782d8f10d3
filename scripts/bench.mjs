// `npm run bench`: installs, builds, and measures. Options after `--` go to the bench.
import { fileURLToPath } from 'node:url';
import { build, install, run } from './run-step.mjs';

const bench = fileURLToPath(new URL('../bench/dist/main.js', import.meta.url));

const steps = [install, build, () => run(process.execPath, [bench, ...process.argv.slice(2)])];
for (const step of steps) {
  const exitCode = await step();
  if (exitCode !== 0) {
    process.exit(exitCode);
  }
}
