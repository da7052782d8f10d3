import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Command } from '../process/contained-command.ts';
import { runProgram } from '../process/run-program.ts';
import { isExecutableFile, searchPath } from '../process/search-path.ts';
import { type Environment, withoutSecrets } from './child-environment.ts';
import { geminiPackageName } from './gemini-package.ts';

/** npx may have to download 100 MB. */
const npxTimeoutMs = 120_000;

export type FindByNpxOptions = {
  readonly environment: Environment;
  /** Search path without what anybody could have put there. */
  readonly path: string;
  /** The Node beside which npm is looked for first. */
  readonly nodePath: string;
};

/**
 * Lets npx fetch the package of the CLI, and resolves to the directory of its command, so that runs do not go through npx
 * and its processes. Resolves to null when there is no npx, when it fails, and on abort, once it has ended.
 */
export async function findByNpx(options: FindByNpxOptions, signal: AbortSignal): Promise<string | null> {
  const npx = await findNpx(options);
  if (npx === null) {
    return null;
  }
  // npm reads the settings of the project around its directory, and takes packages from it: this project is ours and empty.
  const project = await mkdtemp(join(tmpdir(), 'gemini-mcp-npx-'));
  try {
    await writeFile(join(project, 'package.json'), '{}');
    return await askNpx({ ...options, npx, project }, signal);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

type AskNpxOptions = FindByNpxOptions & {
  readonly npx: Command;
  readonly project: string;
};

async function askNpx({ npx, project, environment, path }: AskNpxOptions, signal: AbortSignal): Promise<string | null> {
  const printPath = ['node', '-p', 'process.env.PATH || process.env.Path'];
  const end = await runProgram(
    {
      file: npx.file,
      arguments: [...npx.arguments, '--yes', `--package=${geminiPackageName}`, '--', ...printPath],
      cwd: project,
      environment: { ...withoutSecrets(environment), PATH: path },
      timeoutMs: npxTimeoutMs,
    },
    signal,
  );
  if (!end.ran) {
    throw end.error;
  }
  if (signal.aborted || end.exitCode !== 0) {
    return null;
  }
  const [binDirectory = ''] = end.stdout.trim().split(delimiter);
  return binDirectory === '' ? null : binDirectory;
}

/** npx as a script beside a Node, which works without a shell everywhere, else as a program. */
async function findNpx({ nodePath, path }: FindByNpxOptions): Promise<Command | null> {
  const nodeDirectory = dirname(nodePath);
  for (const modules of [join(nodeDirectory, 'node_modules'), join(nodeDirectory, '..', 'lib', 'node_modules')]) {
    const script = join(modules, 'npm', 'bin', 'npx-cli.js');
    if (await isExecutableFile(script)) {
      return { file: nodePath, arguments: [script] };
    }
  }
  const npx = await searchPath('npx', path);
  return npx === null ? null : { file: npx, arguments: [] };
}
