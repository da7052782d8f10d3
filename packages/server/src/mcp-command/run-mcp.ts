import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { SystemClock } from '@gemini-mcp/adapters-node';
import { homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';
import { escapeName, ProjectApprovals } from '@gemini-mcp/core/internal';
import { digestOf, ownerOnThisMachine } from '@gemini-mcp/gemini/internal';
import { importNames } from '@gemini-mcp/upstreams';
import { type OperableProgram, startedAs } from '../command-line/program.ts';
import { wrapHelp } from '../command-line/wrap-help.ts';
import { createCliFinder } from '../composition/create-server-runners.ts';
import { createRecordStore } from '../composition/create-stores.ts';
import type { ConfigurationSources } from '../settings/read-configuration.ts';
import { ConfigurationError } from '../settings/setting.ts';
import { createUpstreams, type UpstreamParts } from '../upstreams/create-upstreams.ts';
import { settingsPlaces } from '../upstreams/upstream-config-files.ts';
import { approveProject, approveServerTools } from './approve-tools.ts';
import { addServer, changeServer } from './edit-servers.ts';
import { importServers } from './import-servers.ts';
import { listServers } from './list-servers.ts';
import { logInToServer } from './log-in.ts';
import { type McpContext, type McpResult, refusedCommand, type ServersAtTerminal } from './mcp-context.ts';
import { type McpAction, readMcpWords } from './read-mcp-words.ts';

type McpCommandOptions = Omit<OpenMcpContextOptions, 'sources' | 'principal'> &
  OpenMcpContextOptions['sources'] & {
    /** The arguments after `mcp`. */
    readonly words: readonly string[];
  };

/** Runs a terminal command on upstream MCP servers. Throws a `ConfigurationError` for invalid words or settings. */
export async function runMcpCommand(options: McpCommandOptions, signal: AbortSignal): Promise<McpResult> {
  const { program, version, words } = options;
  const { action, flags, principal } = readMcpWords(words, program);
  const sources = { ...options, flags: new Map([...(options.flags ?? []), ...flags]) };
  const place = await openMcpContext({ program, sources, version, principal });
  try {
    return await runMcp(action, place, signal);
  } catch (error) {
    if (signal.aborted) {
      return refusedCommand('Interrupted before it was done.');
    }
    throw error;
  }
}

/** Runs one parsed command. */
export async function runMcp(action: McpAction, place: McpContext, signal: AbortSignal): Promise<McpResult> {
  switch (action.action) {
    case 'help':
      return { output: mcpHelp, note: '', exitCode: 0 };
    case 'list':
      return await listServers(action, place, signal);
    case 'add':
      return await addServer(action, place);
    case 'remove':
    case 'enable':
    case 'disable':
      return await changeServer(action, place);
    case 'approve': {
      const { what, confirmed } = action;
      return what.type === 'project'
        ? await approveProject({ confirmed }, place)
        : await approveServerTools({ ...what, confirmed }, place, signal);
    }
    case 'import':
      return await importServers(action, place);
    case 'login':
    case 'logout':
      return await logInToServer(action, place, signal);
  }
}

type OpenMcpContextOptions = {
  readonly program: OperableProgram;
  readonly sources: ConfigurationSources;
  readonly version: string;
  /** The principal whose servers are meant; null for the user at the terminal. */
  readonly principal: string | null;
};

/** Opens the upstream servers of a server with these settings. Rejects with a `ConfigurationError` for an invalid setting or principal. */
async function openMcpContext({ program, sources, version, principal }: OpenMcpContextOptions): Promise<McpContext> {
  const { configuration } = program.readSettings(sources);
  const { environment, currentDirectory } = sources;
  const isOfOneUser = program.ownerOf === null;
  const owner = await ownerOf(principal, program, sources);
  const places = settingsPlaces({ configuration, isOfOneUser });
  const pathOf = (scope: 'user' | 'project') => places.find((place) => place.scope === scope)?.path ?? null;
  const clock = new SystemClock();
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const records = createRecordStore(configuration, clock, ({ path, reason }) => {
    say(`A record could not be read (${escapeName(reason)}) and was moved to ${escapeName(path)}.`);
  });
  return {
    clock,
    paths: { user: pathOf('user'), project: pathOf('project') },
    projectDirectory: realpathSync(configuration.workingDirectory),
    projects: new ProjectApprovals(records, digestOf),
    open: async () => {
      const finder = createCliFinder({ configuration, environment });
      const parts = { configuration, environment, clock, records, finder, isOfOneUser, version };
      const ours = { program: startedAs(program.name), log: () => undefined };
      return openServers({ ...parts, ...ours }, { owner, needsPrincipal: !isOfOneUser && principal === null });
    },
    clients: {
      home: homeDirectory(environment),
      currentDirectory: realpathSync(currentDirectory),
      environment,
      platform: process.platform,
    },
    say,
    typed,
  };
}

/** A user waits at a terminal: the list of all servers has a short timeout, a named server may take its full time. */
const waitMsForAll = 10_000;
const waitMsForOne = 45_000;

async function ownerOf(
  principal: string | null,
  program: OperableProgram,
  sources: ConfigurationSources,
): Promise<string> {
  if (principal === null) {
    return ownerOnThisMachine;
  }
  if (program.ownerOf === null) {
    throw new ConfigurationError('--principal: this server has only one user.');
  }
  return await program.ownerOf(principal, sources);
}

type Whose = Pick<ServersAtTerminal, 'owner' | 'needsPrincipal'>;

function openServers(parts: UpstreamParts, whose: Whose): ServersAtTerminal {
  const { owner } = whose;
  const { upstreams, settings, logins } = createUpstreams(parts);
  return {
    settings: () => settings.read(),
    servers: upstreams.of(owner),
    connect: async (server, signal) => {
      const loaded = await upstreams.load();
      await loaded?.connect(owner, { server, waitMs: server === null ? waitMsForAll : waitMsForOne }, signal);
    },
    approve: (approval) => upstreams.approve({ ...approval, owner }),
    logins,
    program: parts.program,
    ...whose,
    close: () => upstreams.close(),
  };
}

function typed(onLine: (line: string) => void, signal: AbortSignal): void {
  const lines = createInterface({ input: process.stdin, signal });
  lines.on('line', onLine);
}

/** The text of `mcp --help`. */
const mcpHelp = `Other MCP servers, whose tools Gemini and clients can use.

mcp list [<server>] [--json]
      Shows all servers, or one: the status of each, its tools with their arguments, its prompts and resources,
      and problems with their remedies.
mcp add [flags] <name> <command> [<argument>...]
mcp add [flags] <name> <address>
      Adds a server: a program, or an address that begins with https:// or http://. All words after the
      command go to the program.
      -s, --scope user|project        your settings, or those of the project in this directory. Default: user.
      -t, --transport stdio|http|sse  the transport. Default for an address: http, then sse.
      -e, --env NAME=value            an environment variable of the program. Repeatable.
      -H, --header "Name: value"      a header for the address. Repeatable.
      --timeout <ms>                  how long a call may go without progress. Default: 600000.
      --trust                         run the server's tools without asking.
      --description <text>            a description of the server.
      --include-tools <name,...>      only these tools.
      --exclude-tools <name,...>      all but these.
      --replace                       replace a server with this name.
mcp remove [-s <scope>] <server>
mcp enable | disable [-s <scope>] <server>
mcp approve <server> [<tool>...] [--yes <digest>]
      Shows the new and changed tools, which are withheld, and a digest of this list. --yes with that digest
      approves exactly this list.
mcp approve --project [--yes <digest>]
      The same for the servers in this project's settings.
mcp import <client> [-s <scope>] [--replace] [--yes <digest>]
mcp import --from <file> [-s <scope>] [--replace] [--yes <digest>]
      The same for servers in another client's settings. Writes them to the settings of this server.
${wrapHelp(`Clients: ${importNames.join(', ')}.`)}
mcp login | logout <server>
      Logs in to a server that requires a login, or logs out.

Over HTTP each principal has its own servers: list, approve, login and logout take --principal <name>,
or --principal oauth:<subject> for a principal of the issuer.
Without it they apply to the shared servers.
`;
