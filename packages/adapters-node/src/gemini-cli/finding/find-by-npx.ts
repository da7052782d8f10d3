import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { createRunDirectory, type RunDirectory } from '../../disk/run-directory/run-directory.ts';
import type { Command } from '../../processes/contained-command.ts';
import { endMarkedProcesses, runMarkerName } from '../../processes/marked-processes.ts';
import { buildHelperEnvironment, type Environment } from '../../processes/programs/child-environment.ts';
import { isExecutableFile } from '../../processes/programs/is-executable-file.ts';
import type { ProgramPath } from '../../processes/programs/program-path.ts';
import { runProgram } from '../../processes/run-program.ts';
import { geminiPackageName } from './gemini-package.ts';

/** npx may have to download 100 MB. */
const npxTimeoutMs = 120_000;

export type FindByNpxOptions = {
  readonly environment: Environment;
  /** The environment whose PATH locates npx, and npx's own programs. */
  readonly programs: ProgramPath;
  /** Private directory, in which npx gets an empty project; created if missing. */
  readonly runsDirectory: string;
  /** The Node whose directory is searched for npm first. */
  readonly nodePath: string;
  /** Called before npx starts, if npx exists. */
  readonly onFetch: () => void;
};

/**
 * Lets npx fetch the package of the CLI, and resolves to the directory of its command. Resolves to null if npx is missing or fails, and
 * on abort, once npx has ended; on Linux all processes that it started are gone by then. Rejects if npx could not be started.
 */
export async function findByNpx(options: FindByNpxOptions, signal: AbortSignal): Promise<string | null> {
  const npx = await findNpx(options);
  if (npx === null) {
    return null;
  }
  options.onFetch();
  // npm reads the settings of the project around its directory, takes packages from it, and searches all directories above for a
  // workspace and `node_modules/.bin`: so this project is ours and empty, and not in a directory such as /tmp.
  const directory = await createRunDirectory(options.runsDirectory);
  try {
    await directory.write([{ path: `${projectName}/package.json`, content: '{}' }]);
    return await askNpx({ ...options, npx, directory }, signal);
  } finally {
    await endMarkedProcesses(new Set([directory.runId]));
    await directory.remove();
  }
}

/** The only directory of the run whose path npx gets. */
const projectName = 'npx';

type AskNpxOptions = FindByNpxOptions & {
  readonly npx: Command;
  readonly directory: RunDirectory;
};

/** The shell and the Node by absolute paths: by name, npm would look for them in `node_modules/.bin` first. */
const systemShell = process.platform === 'win32' ? [] : ['--script-shell=/bin/sh'];
const ownNode = process.platform === 'win32' ? 'node' : process.execPath;

async function askNpx(options: AskNpxOptions, signal: AbortSignal): Promise<string | null> {
  const { npx, directory, environment, programs } = options;
  const printPath = [ownNode, '-p', 'process.env.PATH || process.env.Path'];
  const flags = ['--yes', '--no-workspaces', ...systemShell, `--package=${geminiPackageName}`];
  const end = await runProgram(
    {
      file: npx.file,
      arguments: [...npx.arguments, ...flags, '--', ...printPath],
      cwd: join(directory.root, projectName),
      environment: {
        ...buildHelperEnvironment(environment, await programs.forChildren()),
        [runMarkerName]: directory.runId,
      },
      timeoutMs: npxTimeoutMs,
    },
    signal,
  );
  if (signal.aborted) {
    return null;
  }
  if (!end.ran) {
    throw end.error;
  }
  if (end.exitCode !== 0) {
    return null;
  }
  const [binDirectory = ''] = end.stdout.trim().split(delimiter);
  return isAbsolute(binDirectory) ? binDirectory : null;
}

/** npx as a script next to a Node, which works without a shell on every platform, else as a program. */
async function findNpx({ nodePath, programs }: FindByNpxOptions): Promise<Command | null> {
  const nodeDirectory = dirname(nodePath);
  for (const modules of [join(nodeDirectory, 'node_modules'), join(nodeDirectory, '..', 'lib', 'node_modules')]) {
    const script = join(modules, 'npm', 'bin', 'npx-cli.js');
    if ((await isExecutableFile(script)) && (await programs.judgeProgram(script)) === null) {
      return { file: nodePath, arguments: [script] };
    }
  }
  const npx = await programs.find('npx');
  return npx === null ? null : { file: npx, arguments: [] };
}
