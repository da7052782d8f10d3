import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { SystemClock } from '@gemini-mcp/adapters-node';
import { homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';
import {
  escapeName,
  formatServers,
  type LoginEnd,
  type LogoutEnd,
  ProjectApprovals,
  viewServers,
} from '@gemini-mcp/core/internal';
import { digestOf, ownerOnThisMachine } from '@gemini-mcp/gemini/internal';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import { describeProblem, describeTarget, importNames } from '@gemini-mcp/upstreams';
import { type OperableProgram, startedAs } from '../command-line/program.ts';
import { formatJson } from '../command-line/run-sessions.ts';
import { wrapHelp } from '../command-line/wrap-help.ts';
import { createCliFinder } from '../composition/create-server-runners.ts';
import { createLocalRecordStore, createRecordStore } from '../composition/create-stores.ts';
import type { ConfigurationSources } from '../settings/read-configuration.ts';
import { ConfigurationError } from '../settings/setting.ts';
import { createUpstreams, type UpstreamParts } from '../upstreams/create-upstreams.ts';
import { serversOff, settingsPlaces } from '../upstreams/upstream-config-files.ts';
import { approveProject, approveServerTools } from './approve-tools.ts';
import { addServer, changeServer } from './edit-servers.ts';
import { importServers } from './import-servers.ts';
import {
  done,
  type McpContext,
  type McpResult,
  meantBy,
  noted,
  refusedCommand,
  type ServersAtTerminal,
  seeList,
  whoseServer,
} from './mcp-context.ts';
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
  const onQuarantine = ({ path, reason }: { readonly path: string; readonly reason: string }): void =>
    say(`A record could not be read (${escapeName(reason)}): ${escapeName(path)}`);
  const records = createRecordStore(configuration, clock, onQuarantine);
  const localRecords = createLocalRecordStore(configuration, clock, onQuarantine);
  return {
    clock,
    paths: { user: pathOf('user'), project: pathOf('project') },
    projectDirectory: realpathSync(configuration.workingDirectory),
    projects: new ProjectApprovals(localRecords, digestOf),
    open: async () => {
      const finder = createCliFinder({ configuration, environment });
      const parts = { configuration, environment, clock, records, localRecords, finder, isOfOneUser, version };
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

type ListAction = Extract<McpAction, { readonly action: 'list' }>;

/** Shows the status of all servers, or of one. */
async function listServers({ server, json }: ListAction, place: McpContext, signal: AbortSignal): Promise<McpResult> {
  const opened = await place.open();
  try {
    return await list({ server, json }, opened, signal);
  } finally {
    await opened.close();
  }
}

async function list(
  { server, json }: Pick<ListAction, 'server' | 'json'>,
  opened: ServersAtTerminal,
  signal: AbortSignal,
): Promise<McpResult> {
  await opened.connect(server, signal);
  const servers = await opened.servers.list({ waitMs: 0 }, signal);
  const settings = await opened.settings();
  const view = viewServers({
    servers,
    off: serversOff(settings, new Set(servers.map(({ name }) => name))),
    problems: settings.merged.problems.map(describeProblem),
    ownNames: toolDeclarations.map(({ name }) => name),
    sha256: digestOf,
    nowMs: null,
    program: opened.program,
    places: new Map([...settings.merged.servers].map(([name, entry]) => [name, describeTarget(entry)])),
  });
  const shown = server === null ? view.servers : view.servers.filter(({ name }) => name === server);
  if (server !== null && shown.length === 0) {
    const known = view.servers.map(({ name }) => name);
    const path = `mcpServers.${server}`;
    const mistakes = settings.merged.problems.filter((one) => one.path === path || one.path.startsWith(`${path}.`));
    return mistakes.length > 0
      ? refusedCommand(...mistakes.map(describeProblem))
      : refusedCommand(`No server is named ${escapeName(server)}. ${meantBy(server, known, seeList)}`);
  }
  if (json) {
    return { output: formatJson({ ...view, servers: shown }), note: '', exitCode: 0 };
  }
  const text = formatServers({ ...view, servers: shown });
  return shown.length === 0
    ? noted(done(), view.problems.length === 0 ? [noServers] : view.problems)
    : { output: text, note: '', exitCode: 0 };
}

const noServers = 'No other servers are configured. Add one: mcp add <name> <command or address>';

type Options = { readonly action: 'login' | 'logout'; readonly server: string };

/** Logs in to a server, or out of it. Shows the link at once and reads a typed line as the address where the browser ended. */
async function logInToServer({ action, server }: Options, place: McpContext, signal: AbortSignal): Promise<McpResult> {
  const opened = await place.open();
  try {
    const { logins, owner, needsPrincipal } = opened;
    if (needsPrincipal && (await opened.settings()).merged.servers.get(server)?.isShared === false) {
      return refusedCommand(whoseServer(server));
    }
    if (action === 'logout') {
      return presentLogout(await logins.logout({ owner, server }, signal), server);
    }
    return presentLogin(await login(server, { opened, place }, signal), server);
  } finally {
    await opened.close();
  }
}

async function login(
  server: string,
  { opened: { logins, owner }, place }: { readonly opened: ServersAtTerminal; readonly place: McpContext },
  signal: AbortSignal,
): Promise<LoginEnd> {
  const over = new AbortController();
  const end = await logins.login(
    {
      owner,
      server,
      opensBrowser: true,
      listens: true,
      scopes: [],
      onLink: ({ url, issuer, secretGoesTo, answer }) => {
        place.say(`Logging in at ${escapeName(issuer)}.`);
        if (secretGoesTo !== null) {
          place.say(`The oauth.clientSecret of its settings is sent to ${escapeName(secretGoesTo)}.`);
        }
        place.say('If your browser does not open, open this address:');
        place.say(`  ${escapeName(url)}`);
        place.say('A browser on another machine ends on a page that does not load. Paste its address here.');
        place.typed((line) => {
          if (!answer(line.trim())) {
            place.say('This address does not belong to this login.');
          }
        }, over.signal);
      },
    },
    signal,
  );
  over.abort();
  return end;
}

function presentLogin(end: LoginEnd, server: string): McpResult {
  const name = escapeName(server);
  switch (end.type) {
    case 'logged-in':
      return done(
        `Logged in to ${name} at ${escapeName(end.issuer)}${end.scopes.length === 0 ? '' : `, with ${end.scopes.map(escapeName).join(' ')}`}`,
      );
    case 'not-needed':
      return done(escapeName(end.detail));
    case 'failed':
      return refusedCommand(`${name}: ${escapeLines(end.detail)}`);
    case 'cancelled':
      return refusedCommand('The login was cancelled. Nothing has changed.');
  }
}

function presentLogout(end: LogoutEnd, server: string): McpResult {
  const name = escapeName(server);
  switch (end.type) {
    case 'logged-out':
      return done(
        end.isRevoked
          ? `Logged out of ${name}`
          : `Logged out of ${name} on this machine. Its issuer was not notified: to be sure, revoke the access there too.`,
      );
    case 'none':
      return done(`Not logged in to ${name}`);
    case 'failed':
      return refusedCommand(`${name}: ${escapeLines(end.detail)}`);
  }
}

function escapeLines(text: string): string {
  return text.split('\n').map(escapeName).join('\n');
}
