import type { Sha256 } from '../../ports/sha256.ts';
import type { ConnectionFailure } from '../../ports/upstreams/connection-state.ts';
import type { ListedPrompt, ListedResource } from '../../ports/upstreams/server-lists.ts';
import type { JudgedTool, UpstreamSnapshot } from '../../ports/upstreams/upstream-servers.ts';
import { findToolFlags, type ToolFlag } from '../find-tool-flags.ts';
import { fitInputSchema } from '../input-schema/fit-input-schema.ts';
import { approveCommand, loginCommand, usualProgram, wordOf } from '../server-commands.ts';
import type { ArgumentView, PromptView, ResourceView, ServersView, ServerView, ToolView } from './servers-view.ts';

/** A server that is turned off in the settings, and why: a sentence for a user. */
export type ServerOff = Pick<ServerView, 'name' | 'description' | 'transport'> & { readonly reason: string };

export type ViewServersOptions = {
  readonly servers: readonly UpstreamSnapshot[];
  readonly off: readonly ServerOff[];
  /** Problems in the settings: lines for a user. */
  readonly problems: readonly string[];
  /** Our own tool names, which those of a server may be confused with. */
  readonly ownNames: readonly string[];
  readonly sha256: Sha256;
  /** Null for a single view without later attempts to connect. */
  readonly nowMs: number | null;
  /** Where servers are, by name, without secrets: for readers who may know it. */
  readonly places?: ReadonlyMap<string, string>;
  /** How the reader logs in: with a command at a terminal, or as a principal over HTTP. `command` if missing. */
  readonly logsInBy?: 'command' | 'request';
  /** The shell command that started this server; `gemini-mcp-server` if missing. */
  readonly program?: string | undefined;
};

/** The state of upstreams for a user: their connections, what they offer, and what the user can do. */
export function viewServers(options: ViewServersOptions): ServersView {
  const { servers, off, problems, ownNames, places } = options;
  const tools = servers.flatMap(({ name, lists }) =>
    (lists?.tools ?? []).map(({ listed }) => ({ server: name, tool: listed.name, description: listed.description })),
  );
  const flags = groupFlags(findToolFlags(tools, ownNames));
  const all = [...servers.map((server) => viewServer(server, flags, options)), ...off.map(viewOff)];
  return {
    servers: all.map((view) => withPlace(view, places?.get(view.name))),
    problems: [...problems],
  };
}

/** By server and tool. */
type Flags = ReadonlyMap<string, readonly string[]>;

function groupFlags(flags: readonly ToolFlag[]): Flags {
  const groups = new Map<string, string[]>();
  for (const { server, tool, detail } of flags) {
    const key = JSON.stringify([server, tool]);
    groups.set(key, [...(groups.get(key) ?? []), detail]);
  }
  return groups;
}

function withPlace(view: ServerView, place: string | undefined): ServerView {
  return place === undefined ? view : { ...view, place };
}

function viewServer(server: UpstreamSnapshot, flags: Flags, options: ViewServersOptions): ServerView {
  const { name, transport, description, state, lists } = server;
  const tools =
    lists?.tools.map((tool) => ({
      ...viewTool(tool, flags.get(JSON.stringify([name, tool.listed.name])) ?? []),
      setAside: setAsideReason(tool.listed.inputSchema, options.sha256),
    })) ?? [];
  return {
    name,
    transport,
    description,
    state: state.type,
    problem: problemOf(server, options.nowMs),
    advice: adviseOnServer(server, { ...options, hasWithheld: tools.some(({ withheld }) => withheld !== null) }),
    trusted: server.isTrusted,
    shared: server.isShared,
    listedAt: lists === null ? null : timeOf(lists.takenAtMs),
    tools,
    prompts: lists?.prompts.map(viewPrompt) ?? [],
    resources: lists?.resources.map(viewResource) ?? [],
    leftOut: lists?.leftOut ?? [],
  };
}

function viewOff({ reason, ...server }: ServerOff): ServerView {
  const lists = { listedAt: null, tools: [], prompts: [], resources: [], leftOut: [] };
  return { ...server, state: 'disabled', problem: reason, advice: null, trusted: false, shared: false, ...lists };
}

function problemOf({ state, listProblem }: UpstreamSnapshot, nowMs: number | null): string | null {
  if (state.type === 'failed') {
    const seconds = nowMs === null ? 0 : Math.ceil((state.retryAtMs - nowMs) / 1_000);
    const { detail } = state.failure;
    // A detail of several lines ends with a quotation: our sentence must not continue its last line.
    const space = detail.includes('\n') ? '\n' : ' ';
    return seconds > 0 ? `${detail}${space}It is tried again in ${seconds} s.` : detail;
  }
  if (state.type === 'connecting') {
    return nowMs === null ? 'It has not answered yet.' : null;
  }
  return listProblem;
}

function viewTool({ listed, judgement }: JudgedTool, flags: readonly string[]): Omit<ToolView, 'setAside'> {
  const { name, title, description, inputSchema } = listed;
  const withheld = judgement.type === 'offered' ? null : { reason: judgement.reason, diff: shorten(judgement.diff) };
  return { name, title, description, arguments: viewArguments(inputSchema), withheld, flags };
}

/** `mcp approve` shows it whole. */
function shorten(diff: string): string {
  return diff.length > maxDiffCharacters
    ? `${diff.slice(0, maxDiffCharacters)}\n[mcp approve shows the rest.]\n`
    : diff;
}

function viewPrompt({ name, title, description, arguments: taken }: ListedPrompt): PromptView {
  const shown = taken.map(({ isRequired, ...argument }) => ({ ...argument, required: isRequired }));
  return { name, title, description, arguments: shown };
}

function viewResource({ uri, isTemplate, name, description, mediaType }: ListedResource): ResourceView {
  return { uri, template: isTemplate, name, description, mediaType };
}

const maxDiffCharacters = 20_000;

/** Dates end here (ECMA-262, time values). */
const lastTimeMs = 8.64e15;

function timeOf(timeMs: number): string | null {
  return Math.abs(timeMs) <= lastTimeMs ? new Date(timeMs).toISOString() : null;
}

/** Fitting a schema takes milliseconds, and each view needs the result. */
const knownReasons = new WeakMap<object, string | null>();

/** Why Gemini cannot use a tool, in a sentence; null if it can. */
function setAsideReason(inputSchema: Readonly<Record<string, unknown>>, sha256: Sha256): string | null {
  const known = knownReasons.get(inputSchema);
  if (known !== undefined) {
    return known;
  }
  const fit = fitInputSchema(inputSchema, sha256);
  const reason = fit.fits ? null : `The schema of its arguments ${fit.reason}.`;
  knownReasons.set(inputSchema, reason);
  return reason;
}

/** No one reads more arguments of a tool. */
const maxArguments = 200;

/** The arguments of a tool by its schema, whatever a server wrote there. */
function viewArguments(inputSchema: Readonly<Record<string, unknown>>): readonly ArgumentView[] {
  const required = Array.isArray(inputSchema['required']) ? inputSchema['required'] : [];
  const properties = membersOf(inputSchema['properties']).slice(0, maxArguments);
  return properties.map(([name, schema]) => {
    const members = new Map(membersOf(schema));
    const description = members.get('description');
    return {
      name,
      type: typeOf(members),
      required: required.includes(name),
      description: typeof description === 'string' ? description : '',
    };
  });
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function typeOf(schema: ReadonlyMap<string, unknown>): string {
  const types = [...new Set(typesOf(schema))];
  return types.length === 0 || types.includes('any') ? 'any' : types.join('|');
}

/** No one reads more alternatives. */
const maxAlternatives = 20;

function typesOf(schema: ReadonlyMap<string, unknown>): readonly string[] {
  const type = schema.get('type');
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  const alternatives = schema.get('anyOf') ?? schema.get('oneOf');
  return types.length === 0 && Array.isArray(alternatives)
    ? alternatives.slice(0, maxAlternatives).map((one) => plainTypeOf(new Map(membersOf(one))))
    : types;
}

function plainTypeOf(alternative: ReadonlyMap<string, unknown>): string {
  const type = alternative.get('type');
  return typeof type === 'string' ? type : 'any';
}

type AdviseOnServerOptions = Pick<ViewServersOptions, 'logsInBy' | 'nowMs' | 'program'> & {
  /** It has tools that are withheld until they are approved. */
  readonly hasWithheld: boolean;
};

/** What a user can do about a server, in a sentence; null if nothing is to be done. */
function adviseOnServer(server: UpstreamSnapshot, options: AdviseOnServerOptions): string | null {
  const { state, transport, name } = server;
  if (state.type === 'awaiting-login') {
    return adviseOnLogin(server, options);
  }
  if (state.type === 'failed') {
    return adviseOnFailure(state.failure.kind, transport);
  }
  if (state.type === 'connecting' && options.nowMs === null) {
    return `Give it more time: ${options.program ?? usualProgram} mcp list ${wordOf(name)}`;
  }
  return options.hasWithheld ? adviseOnApproval(server, options) : null;
}

const byFailure = {
  misconfigured: 'Correct its entry in the settings.',
  'not-started': 'Correct its command in the settings: it has to start in a terminal too.',
  unreachable: 'Check its url, and whether the server runs and this machine reaches it.',
  silent: 'Check whether it is an MCP server that speaks over this transport.',
  ended: 'Check whether the server runs.',
  refused: 'Check its url, its type and its headers.',
  'out-of-order': 'Wait. If it stays so, ask those who run it.',
  flooding: 'It sends too much data: ask its author.',
} as const;

/** A program has no address to check. */
const byFailureOfProgram = {
  ...byFailure,
  ended: 'Run its command in a terminal, and read what it says.',
  refused: 'Correct what its entry in the settings names, or update it.',
} as const;

function adviseOnFailure(kind: ConnectionFailure['kind'], transport: UpstreamSnapshot['transport']): string {
  return (transport === 'stdio' ? byFailureOfProgram : byFailure)[kind];
}

function adviseOnLogin(
  { name, isShared }: UpstreamSnapshot,
  { logsInBy = 'command', program }: AdviseOnServerOptions,
): string {
  if (logsInBy === 'command') {
    return `Log in: ${loginCommand(name, program)}`;
  }
  return isShared
    ? 'The operator has to log in to it.'
    : `Log in: POST /api/servers/${encodeURIComponent(name)}/login, with {}, and open the link.`;
}

function adviseOnApproval(
  { name, isShared }: UpstreamSnapshot,
  { logsInBy = 'command', program }: AdviseOnServerOptions,
): string {
  if (logsInBy === 'command') {
    return `Look at the tools that are withheld, and approve them: ${approveCommand(name, program)}`;
  }
  const whose = isShared ? '' : ' --principal <your name>';
  return `The operator has to look at the tools that are withheld, and approve them: gemini-mcp-server-http mcp approve ${wordOf(name)}${whose}`;
}
