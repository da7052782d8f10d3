import { readFileSync } from 'node:fs';
import { RealRoots } from '../../../disk/real-roots.ts';
import { CommandRunner } from '../command-runner.ts';
import type { ProgramTask } from './run-as.ts';

/** A program that opens the commands of a run, executes its input, and prints the reports as lines of JSON. */
const never = new AbortController().signal;
const task: ProgramTask = JSON.parse(readFileSync(0, 'utf8'));
const runner = new CommandRunner({
  runsDirectory: task.runsDirectory,
  environment: process.env,
  ...(task.limits && { limits: task.limits }),
});
const commands = runner.open({
  mode: 'full',
  network: false,
  roots: new RealRoots({ directories: [task.project] }),
  directories: [task.project],
  workingDirectory: task.project,
});
for (const plan of task.plans) {
  const { timeoutMs = 30_000, waitMs = 60_000, isAllowedByUser = false } = task;
  let result = await commands.run({ plan, timeoutMs, waitMs, isAllowedByUser }, never);
  while (task.until !== undefined && result.ok && result.value.handle !== null && result.value.output === '') {
    result = await commands.poll({ handle: result.value.handle, waitMs: 5, stop: false }, never);
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
if (task.stays !== true) {
  await commands.close();
}
