// Runs the programs of the build, with nothing assumed but Node and npm.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const rootDirectory = fileURLToPath(new URL('..', import.meta.url));

const modules = join(rootDirectory, 'node_modules');

const environment = {
  ...process.env,
  // Turbo looks for pnpm there, and a check for the programs that it starts by name.
  PATH: [join(modules, '.bin'), process.env.PATH].join(delimiter),
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
};

/** Runs a program in the root of the repository, with these variables added to our own; resolves to its exit code. */
export function run(file, args, variables = {}, options = {}, onChild = () => undefined) {
  return new Promise((resolve, reject) => {
    const env = { ...environment, ...variables };
    const child = spawn(file, args, { cwd: rootDirectory, stdio: 'inherit', env, ...options });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
    onChild(child);
  });
}

/** The same without printing: the result contains the output in order. */
export async function runAside(file, args, variables = {}) {
  let output = '';
  const onChild = (child) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
  };
  const exitCode = await run(file, args, variables, { stdio: ['ignore', 'pipe', 'pipe'] }, onChild);
  return { exitCode, output };
}

/** How to run a script of the root manifest. */
export function scriptCommand(name) {
  return [...toolCommand('pnpm'), 'run', name];
}

const packageOf = { biome: '@biomejs/biome', changeset: '@changesets/cli', tsc: 'typescript' };

/** How to start a program that the install has brought, without a shell. */
export function toolCommand(name) {
  const directory = join(modules, packageOf[name] ?? name);
  const { bin } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return [process.execPath, join(directory, bin[name])];
}

/** Installs the workspace with the pinned pnpm, which npx fetches if missing. */
export async function install(options) {
  const { packageManager } = JSON.parse(await readFile(join(rootDirectory, 'package.json'), 'utf8'));
  return runNpx([packageManager, 'install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn'], options);
}

/** Whether the install is of the lockfile as it is now. pnpm copies the lockfile there when it has installed everything. */
export function isInstallCurrent() {
  const [installed, wanted] = [join(modules, '.pnpm/lock.yaml'), join(rootDirectory, 'pnpm-lock.yaml')].map((path) =>
    existsSync(path) ? readFileSync(path, 'utf8') : null,
  );
  return isInstalled() && installed !== null && installed === wanted;
}

/** Whether an install has come to its end. */
export function isInstalled() {
  // pnpm writes this file last.
  return existsSync(join(modules, '.modules.yaml'));
}

/** Installs where that has not been done. Ends the process with a sentence if it cannot. */
export async function requireInstalled() {
  if (isInstalled()) {
    return;
  }
  console.error('The packages of this repository are not installed yet: installing them.');
  const exitCode = await install({ stdio: ['ignore', 2, 2] });
  if (exitCode !== 0) {
    console.error('The install failed. It needs npx and a network, or a cache that has the packages.');
    process.exit(exitCode);
  }
}

/** Installs and builds where `file`, a path below the root, has not been built. Ends the process if it cannot. */
export async function requireBuilt(file) {
  await requireInstalled();
  const exitCode = existsSync(join(rootDirectory, file)) ? 0 : await build();
  if (exitCode !== 0) {
    process.exit(exitCode);
  }
}

/** How to start npx. npm gives its scripts the path: started with that, it needs no shell on Windows. */
export function npxCommand() {
  const npm = process.env.npm_execpath;
  return npm?.endsWith('npm-cli.js') ? [process.execPath, npm, 'exec', '--yes', '--'] : ['npx', '--yes'];
}

function runNpx(args, options = {}) {
  const [file, ...first] = npxCommand();
  return run(file, [...first, ...args], {}, { shell: file === 'npx' && process.platform === 'win32', ...options });
}

/** Builds every package and the bundles; quiet unless something fails. */
export function build(options) {
  const [file, ...args] = toolCommand('turbo');
  return run(file, [...args, 'run', 'build', '--output-logs=errors-only', '--ui=stream'], {}, options);
}
