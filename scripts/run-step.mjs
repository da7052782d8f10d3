// Runs the programs of the build, with nothing assumed but Node and npm.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const rootDirectory = fileURLToPath(new URL('..', import.meta.url));

/** Turbo looks for pnpm on the path, from the directory of each package: so absolute. */
const environment = {
  ...process.env,
  PATH: [join(rootDirectory, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
};

/** Runs a program in the root of the repository; resolves to its exit code. */
export function run(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: rootDirectory, stdio: 'inherit', env: environment, ...options });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
  });
}

/** Runs a program of the workspace's own packages by pnpm, which the install has put beside them. */
export function runPnpm(args) {
  const pnpm = fileURLToPath(new URL('../node_modules/pnpm/bin/pnpm.cjs', import.meta.url));
  return run(process.execPath, [pnpm, ...args]);
}

/** Installs the workspace with the pinned pnpm, which npx fetches where it is missing. */
export async function install() {
  const { packageManager } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  return runNpx([packageManager, 'install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn']);
}

/** How to start npx. npm tells its scripts where it lies: started by that, it needs no shell on Windows. */
export function npxCommand() {
  const npm = process.env.npm_execpath;
  return npm?.endsWith('npm-cli.js') ? [process.execPath, npm, 'exec', '--yes', '--'] : ['npx', '--yes'];
}

function runNpx(args) {
  const [file, ...first] = npxCommand();
  return run(file, [...first, ...args], { shell: file === 'npx' && process.platform === 'win32' });
}

/** Builds every package and the bundles; quiet unless something fails. */
export function build() {
  return runPnpm(['exec', 'turbo', 'run', 'build', '--output-logs=errors-only', '--ui=stream']);
}
