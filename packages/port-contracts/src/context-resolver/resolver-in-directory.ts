import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Clock, ContextResolver } from '@gemini-mcp/core';
import { makeTemporaryDirectory } from '../make-temporary-directory.ts';
import type { ContextResolverContractOptions } from './context-resolver.contract.ts';
import type { FileTree } from './context-resolver-harness.ts';

export type ResolverPlace = {
  /** Absolute; the only root. */
  readonly workingDirectory: string;
  readonly clock: Clock;
};

/**
 * The harness of a resolver that reads the file system: each test gets a directory with its files and links, which is
 * removed afterwards. A resolver without ignore files sets `ignoreFiles: false` after it.
 */
export function resolverInTemporaryDirectory(
  createResolver: (place: ResolverPlace) => ContextResolver,
): Pick<ContextResolverContractOptions, 'create' | 'features'> {
  return {
    features: { links: process.platform !== 'win32', caseSensitive: isCaseSensitive(), ignoreFiles: true },
    create: async ({ directoryName, tree, outside, links, clock }) => {
      const base = makeTemporaryDirectory();
      const workingDirectory = join(base, directoryName);
      mkdirSync(workingDirectory);
      writeTree(workingDirectory, tree);
      writeTree(base, outside);
      for (const [path, target] of Object.entries(links)) {
        const link = join(workingDirectory, path);
        mkdirSync(dirname(link), { recursive: true });
        symlinkSync(relative(dirname(link), join(workingDirectory, target)), link);
      }
      const dispose = async (): Promise<void> => rmSync(base, { recursive: true, force: true });
      return { resolver: createResolver({ workingDirectory, clock }), workingDirectory, dispose };
    },
  };
}

function writeTree(directory: string, tree: FileTree): void {
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

function isCaseSensitive(): boolean {
  const directory = makeTemporaryDirectory();
  writeFileSync(join(directory, 'a'), '');
  const isFound = existsSync(join(directory, 'A'));
  rmSync(directory, { recursive: true, force: true });
  return !isFound;
}
