import { findToolFlags, type ToolFlag } from '../find-tool-flags.ts';
import type { Sha256 } from '../lent-name.ts';
import type { JudgedTool, OtherServer } from '../other-servers.ts';
import type { ListedPrompt, ListedResource } from '../server-lists.ts';
import { adviseOnServer } from './advise-on-server.ts';
import type { PromptView, ResourceView, ServersView, ServerView, ToolView } from './servers-view.ts';
import { SetAsideReasons } from './set-aside-reasons.ts';
import { viewArguments } from './view-arguments.ts';

/** A server of the settings that is off, and why: a sentence for a user. */
export type ServerOff = Pick<ServerView, 'name' | 'description' | 'transport'> & { readonly reason: string };

export type ViewServersOptions = {
  readonly servers: readonly OtherServer[];
  readonly off: readonly ServerOff[];
  /** What is wrong with the settings: lines for a user. */
  readonly problems: readonly string[];
  /** Names of tools of ours, with which those of a server may be mixed up. */
  readonly ownNames: readonly string[];
  readonly sha256: Sha256;
  /** Null for a look that ends with its answer: nothing is tried again then. */
  readonly nowMs: number | null;
  /** Where servers are, by their names, without secrets: for those who may know it. */
  readonly places?: ReadonlyMap<string, string>;
  /** How the reader logs in: by a command at a terminal, or as a principal over HTTP. `command` when it is missing. */
  readonly logsInBy?: 'command' | 'request';
};

/** What a user is shown of other servers: how they are, what they offer, and what there is to do. */
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

const reasons = new SetAsideReasons();

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

function viewServer(server: OtherServer, flags: Flags, options: ViewServersOptions): ServerView {
  const { name, transport, description, state, lists } = server;
  const tools =
    lists?.tools.map((tool) => ({
      ...viewTool(tool, flags.get(JSON.stringify([name, tool.listed.name])) ?? []),
      setAside: reasons.of(tool.listed.inputSchema, options.sha256),
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

function problemOf({ state, listProblem }: OtherServer, nowMs: number | null): string | null {
  if (state.type === 'failed') {
    const seconds = nowMs === null ? 0 : Math.ceil((state.retryAtMs - nowMs) / 1_000);
    const { detail } = state.failure;
    // Below what is quoted, and not in its last line.
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
  const withheld = judgement.type === 'lent' ? null : { reason: judgement.reason, diff: shorten(judgement.diff) };
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

/** Beyond it there is no date (ECMA-262, time values). */
const lastTimeMs = 8.64e15;

function timeOf(timeMs: number): string | null {
  return Math.abs(timeMs) <= lastTimeMs ? new Date(timeMs).toISOString() : null;
}
