import { dirname, isAbsolute } from 'node:path';
import { carriedVariables } from '@gemini-mcp/adapters-node/internal';
import { withoutUnfilledVariables } from '@gemini-mcp/adapters-node/internal/startup';
import {
  type ClientName,
  type ClientSnippet,
  type Configuration,
  ConfigurationError,
  clientForms,
  createCliFinder,
  type FoundServer,
  hasLogin,
  type Invocation,
  installLink,
  LastingProgram,
  LoginStore,
  linkedClients,
  readConfiguration,
  type StdioEntry,
  toFillIn,
} from '@gemini-mcp/server';
import { serverVersion as version } from './server-version.ts';
import { stdioProgram } from './stdio-program.ts';

/** The directories on the PATH of every client, also of one that no shell has started. */
const barePath: readonly string[] = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/**
 * Finds the command that starts this server for a client, with the same flags, and with the path of the Gemini CLI if a client may
 * not find it. Throws a `ConfigurationError` for invalid flags, so that no client starts the server in vain.
 */
export async function findServerCommand(invocation: Invocation): Promise<ServerCommand> {
  const { environment, flags = new Map(), currentDirectory, nodePath, programPath } = invocation;
  const { configuration } = readConfiguration({ environment: {}, flags, currentDirectory });
  const cliPath = flags.has('cli') ? null : await findCliPath(environment, configuration);
  const settings = [...flags, ...(cliPath === null ? [] : [['cli', cliPath]])].map(
    ([name, value]) => `--${name}=${value}`,
  );
  // Those caches are emptied now and then: a path in one works only for some time.
  const isTemporary = [nodePath, programPath].some(isInCache);
  return {
    ...(isTemporary
      ? { command: stdioProgram.name, args: settings }
      : { command: nodePath, args: [programPath, ...settings] }),
    needsInstall: isTemporary,
    hasDirectory: flags.has('working-dir'),
    hasStoredLogin: new LoginStore(environment).look().type === 'found',
    variables: carriedVariables(withoutUnfilledVariables(environment)),
  };
}

/** Null if a client finds the CLI without a path, or if no CLI is installed that a client could start later. */
async function findCliPath(
  environment: Invocation['environment'],
  configuration: Configuration,
): Promise<string | null> {
  const chosen = environment['GEMINI_MCP_CLI'];
  const { programs } = createCliFinder({ configuration, environment });
  const path = chosen && isAbsolute(chosen) ? chosen : await programs.find(chosen || 'gemini');
  return path === null || barePath.includes(dirname(path)) || isInCache(path) ? null : path;
}

/** Whether a path lies where npx, `pnpm dlx`, `yarn dlx` (in an archive) or bunx keep a package for one run. */
function isInCache(path: string): boolean {
  return /[/\\](?:_npx|dlx(?:-[^/\\]+)?|bunx-[^/\\]+|[^/\\]+\.zip)[/\\]/.test(path);
}

/** The command that starts this server for a client. */
export type ServerCommand = StdioEntry & {
  /** Whether `command` works only once the server is installed. */
  readonly needsInstall: boolean;
};

/** What makes a client start this server. Holds the names of variables, never their values. */
export function clientSnippet(client: ClientName, server: ServerCommand): ClientSnippet {
  const { text, place } = clientForms[client].stdio(server);
  const takesLogin = hasLogin(server) || text.includes(toFillIn('GEMINI_API_KEY'));
  return { text, place: [place, ...hints(server, takesLogin)].join('\n') };
}

/** A link that adds this server to a client. Throws a `ConfigurationError` if the client has no such links. */
export function linkSnippet(client: ClientName, server: ServerCommand): ClientSnippet {
  const link = installLink(client, server);
  if (link === null) {
    throw new ConfigurationError(
      `--link: ${client} cannot install a server from a link. ${linkedClients.join(', ')} can. Without --link the settings are printed.`,
    );
  }
  const place = 'Open it: the client shows the entry and asks before it adds it. It works on this machine only.';
  return { text: `${link}\n`, place: [place, ...hints(server, hasLogin(server))].join('\n') };
}

function hints(server: ServerCommand, takesLogin: boolean): readonly string[] {
  const install =
    'This server lies in a cache that is emptied now and then. Install its package, so that the client finds it: npm install -g <package>';
  const login =
    'There is no login. Make an API key at https://aistudio.google.com/apikey and store it: gemini-mcp-server login. Without one the server needs a Code Assist licence and the login of the Gemini CLI.';
  return [...(server.needsInstall ? [install] : []), ...(takesLogin ? [] : [login])];
}

/** How clients start this server, for `setup`: from the cache of npx and the like by a copy. */
export async function findServer(invocation: Invocation): Promise<FoundServer> {
  const { nodePath, programPath, environment } = invocation;
  const { needsInstall, ...server } = await findServerCommand(invocation);
  if (!needsInstall) {
    return { server };
  }
  if (isInCache(nodePath)) {
    return {
      problem:
        'This Node is in a cache that is emptied now and then, so a client that was set up now could not start it later. Run setup with an installed Node.',
    };
  }
  if (/\.zip[/\\]/.test(programPath)) {
    return {
      problem:
        'This server lies in an archive of Yarn, from which no client can start it. Install it, and run setup again: npm install -g gemini-mcp-server',
    };
  }
  const program = new LastingProgram({ programPath, version, environment });
  return {
    server: { ...server, command: nodePath, args: [program.path, ...server.args] },
    keep: () => program.keep(),
  };
}
