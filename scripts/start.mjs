// `npm start`: installs, builds, and shows the server at work. Options after `--` go to the demonstration.
import { fileURLToPath } from 'node:url';
import { build, install, run } from './run-step.mjs';

const demo = fileURLToPath(new URL('../demo/dist/main.js', import.meta.url));

const steps = [install, build, () => run(process.execPath, [demo, ...process.argv.slice(2)])];
for (const step of steps) {
  const exitCode = await step();
  if (exitCode !== 0) {
    process.exit(exitCode);
  }
}
