// Somebody else's client, fetched by npx into npm's cache.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { npxCommand, rootDirectory } from '../run-step.mjs';

/** Fetches one version of an npm package. Resolves to the path of the command that it brings. */
export async function fetchCommand({ packageName, version, command }) {
  const [file, ...first] = npxCommand();
  const args = [`--package=${packageName}@${version}`, '--', 'sh', '-c', `command -v ${command}`];
  const child = spawn(file, [...first.filter((word) => word !== '--'), ...args], {
    cwd: rootDirectory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [path] = (await text(child.stdout)).trim().split('\n').slice(-1);
  if (!path) {
    throw new Error(`npx could not fetch ${packageName}`);
  }
  return path;
}
