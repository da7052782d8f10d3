// Runs the programs of the build, with nothing assumed but Node and npm.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const rootDirectory = fileURLToPath(new URL('..', import.meta.url));

const environment = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };

/** Runs a program in the root of the repository, with these variables beside our own; resolves to its exit code. */
export function run(file, args, variables = {}, options = {}, onChild = () => undefined) {
  return new Promise((resolve, reject) => {
    const env = { ...environment, ...variables };
    const child = spawn(file, args, { cwd: rootDirectory, stdio: 'inherit', env, ...options });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
    onChild(child);
  });
}

/** The same, beside others: what it prints is in the result instead, in the order in which it came. */
export async function runAside(file, args) {
  let output = '';
  const onChild = (child) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
  };
  const exitCode = await run(file, args, {}, { stdio: ['ignore', 'pipe', 'pipe'] }, onChild);
  return { exitCode, output };
}

/**
 * How to run a script of the root manifest: by the pnpm that the install has put there. `pnpm exec` would not do: it puts a
 * relative directory on the path, and turbo looks for pnpm from the directory of each package.
 */
export function scriptCommand(name) {
  const pnpm = fileURLToPath(new URL('../node_modules/pnpm/bin/pnpm.cjs', import.meta.url));
  return [process.execPath, pnpm, 'run', name];
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
  return run(file, [...first, ...args], {}, { shell: file === 'npx' && process.platform === 'win32' });
}

/** Builds every package and the bundles; quiet unless something fails. */
export function build() {
  const [file, ...args] = scriptCommand('build');
  return run(file, [...args, '--output-logs=errors-only', '--ui=stream']);
}
