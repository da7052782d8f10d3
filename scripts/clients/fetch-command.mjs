// Fetches another vendor's client by npx into npm's cache.
import { execa } from 'execa';
import { npxCommand, rootDirectory } from '../run-step.mjs';

/** Fetches one version of an npm package. Resolves to the path of its command. */
export async function fetchCommand({ packageName, version, command }) {
  const [file, ...first] = npxCommand();
  const args = [`--package=${packageName}@${version}`, '--', 'sh', '-c', `command -v ${command}`];
  const options = { cwd: rootDirectory, stdin: 'ignore', stderr: 'inherit', reject: false };
  const { stdout } = await execa(file, [...first.filter((word) => word !== '--'), ...args], options);
  const path = stdout.trim().split('\n').at(-1);
  if (!path) {
    throw new Error(`npx could not fetch ${packageName}@${version}`);
  }
  return path;
}
