import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Executor } from '@gemini-mcp/core';
import type { FileTree } from '../context-resolver/context-resolver-harness.ts';
import { makeTemporaryDirectory } from '../make-temporary-directory.ts';
import type { ExecutorContractOptions } from './executor.contract.ts';
import type { PlaceFiles } from './executor-harness.ts';

export type ExecutorDirectory = {
  /** Absolute. It may be a root of runs. */
  readonly workingDirectory: string;
  /** For the executor's own files: empty, outside every root, removed afterwards. */
  readonly stateDirectory: string;
};

/** The harness of an executor that works on the file system: each test gets a directory of its own, which is removed afterwards. */
export function executorInTemporaryDirectory(
  createExecutor: (place: ExecutorDirectory) => Executor,
): Pick<ExecutorContractOptions, 'create' | 'features'> {
  const hasLinks = process.platform !== 'win32';
  return {
    features: { links: hasLinks, modes: hasLinks, commands: process.platform === 'linux' },
    create: async ({ tree, outside, links }) => {
      const base = makeTemporaryDirectory();
      const stateDirectory = makeTemporaryDirectory();
      const workingDirectory = join(base, 'project');
      mkdirSync(workingDirectory);
      writeTree(workingDirectory, tree);
      writeTree(base, outside);
      for (const [path, target] of Object.entries(links)) {
        const link = join(workingDirectory, path);
        mkdirSync(dirname(link), { recursive: true });
        symlinkSync(relative(dirname(link), join(workingDirectory, target)), link);
      }
      const dispose = async (): Promise<void> => {
        rmSync(base, { recursive: true, force: true });
        rmSync(stateDirectory, { recursive: true, force: true });
      };
      const executor = createExecutor({ workingDirectory, stateDirectory });
      return { executor, workingDirectory, files: filesIn(workingDirectory), dispose };
    },
  };
}

function writeTree(directory: string, tree: FileTree): void {
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

function filesIn(directory: string): PlaceFiles {
  return {
    read: async (path) => {
      const isFile = lstatSync(join(directory, path), { throwIfNoEntry: false })?.isFile() === true;
      return isFile ? new Uint8Array(readFileSync(join(directory, path))) : null;
    },
    write: async (path, content) => writeTree(directory, { [path]: content }),
    remove: async (path) => rmSync(join(directory, path)),
    all: async () => {
      const entries = readdirSync(dirname(directory), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => !entry.isDirectory());
      return files.map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
    },
    mode: async (path) => lstatSync(join(directory, path)).mode & 0o777,
    setMode: async (path, mode) => chmodSync(join(directory, path), mode),
  };
}
