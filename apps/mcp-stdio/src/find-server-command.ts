import { dirname, isAbsolute } from 'node:path';
import { carriedVariables } from '@gemini-mcp/adapters-node/internal';
import { type Configuration, createCliFinder, type Invocation, readConfiguration } from '@gemini-mcp/server';
import type { ServerCommand } from './client-snippet.ts';
import { stdioProgram } from './stdio-program.ts';

/** The directories on the PATH of every client, also of one that no shell has started. */
const barePath: readonly string[] = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/**
 * How a client starts the server that runs here, with the same flags, and with the path of the Gemini CLI where a client may not
 * find it. Throws a `ConfigurationError` where the flags are wrong, so that no client starts the server in vain.
 */
export async function findServerCommand(invocation: Invocation): Promise<ServerCommand> {
  const { environment, flags = new Map(), currentDirectory, nodePath, programPath } = invocation;
  const { configuration } = readConfiguration({ environment: {}, flags, currentDirectory });
  const cliPath = flags.has('cli') ? null : await findCliPath(environment, configuration);
  const settings = [...flags, ...(cliPath === null ? [] : [['cli', cliPath]])].map(
    ([name, value]) => `--${name}=${value}`,
  );
  // npm empties that cache now and then: a path in it works only for some time.
  const isTemporary = [nodePath, programPath].some(isInNpxCache);
  return {
    ...(isTemporary
      ? { command: stdioProgram.name, args: settings }
      : { command: nodePath, args: [programPath, ...settings] }),
    needsInstall: isTemporary,
    hasDirectory: flags.has('working-dir'),
    variables: carriedVariables(environment),
  };
}

/** Null where a client finds the CLI without being told, and where there is none that a client could start later. */
async function findCliPath(
  environment: Invocation['environment'],
  configuration: Configuration,
): Promise<string | null> {
  const chosen = environment['GEMINI_MCP_CLI'];
  const { programs } = createCliFinder({ configuration, environment });
  const path = chosen && isAbsolute(chosen) ? chosen : await programs.find(chosen || 'gemini');
  return path === null || barePath.includes(dirname(path)) || isInNpxCache(path) ? null : path;
}

function isInNpxCache(path: string): boolean {
  return /[/\\]_npx[/\\]/.test(path);
}
