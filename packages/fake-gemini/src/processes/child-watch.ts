import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Records the programs that a Node process starts, in whichever way it does. */
export type ChildWatch = {
  /** The environment of the process. */
  readonly environment: { readonly NODE_OPTIONS: string };
  /** The command line of each program started so far. */
  readonly started: () => Promise<readonly string[]>;
};

/** Loaded before the program: records everything that it starts. The synchronous functions bypass the class. */
function preload(record: string): string {
  return `
const childProcess = require('node:child_process');
const { appendFileSync } = require('node:fs');
const note = (words) => appendFileSync(${JSON.stringify(record)}, JSON.stringify(words) + '\\n');
const { prototype } = childProcess.ChildProcess;
const { spawn } = prototype;
prototype.spawn = function (options) {
  note(options.args);
  return spawn.call(this, options);
};
for (const name of ['spawnSync', 'execSync', 'execFileSync']) {
  const start = childProcess[name];
  childProcess[name] = (...args) => {
    note(args.filter((arg) => typeof arg === 'string' || Array.isArray(arg)).flat());
    return start(...args);
  };
}
`;
}

/** Creates a watch, whose files are in this directory. */
export async function watchChildren(directory: string): Promise<ChildWatch> {
  const record = join(directory, 'started-programs');
  const script = join(directory, 'watch-children.cjs');
  await writeFile(record, '');
  await writeFile(script, preload(record));
  return {
    environment: { NODE_OPTIONS: `--require=${script}` },
    started: async () => (await readFile(record, 'utf8')).split('\n').filter((line) => line !== ''),
  };
}
