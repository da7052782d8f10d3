// A reporter for vitest: `npm run vitest -- --reporter=./scripts/duration-reporter.mjs` writes the seconds of the test files
// that ran to test-durations.json, so that vitest.config.ts begins with the longest on a fresh clone.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rootDirectory } from './run-step.mjs';

const record = join(rootDirectory, 'test-durations.json');

/** The order of shorter files makes no difference. */
const leastSeconds = 3;

// biome-ignore lint/style/noDefaultExport: vitest takes the default export of a reporter's file.
export default class DurationReporter {
  onTestRunEnd(modules) {
    const ran = modules.map((module) => [relative(rootDirectory, module.moduleId), Math.round(secondsOf(module))]);
    const seconds = Object.entries({ ...JSON.parse(readFileSync(record, 'utf8')), ...Object.fromEntries(ran) })
      .filter(([path, each]) => each >= leastSeconds && existsSync(join(rootDirectory, path)))
      .sort(([, one], [, other]) => other - one);
    writeFileSync(record, `${JSON.stringify(Object.fromEntries(seconds), null, 2)}\n`);
  }
}

/** What the file took to load and to run, without the start of its process. */
export function secondsOf(module) {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return (setupDuration + collectDuration + duration) / 1_000;
}
