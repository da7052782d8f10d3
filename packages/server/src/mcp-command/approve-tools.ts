import { readFile, stat } from 'node:fs/promises';
import {
  countOf,
  escapeName,
  findToolFlags,
  type JudgedTool,
  orderMembers,
  type ToolFlag,
  type UpstreamSnapshot,
} from '@gemini-mcp/core/internal';
import { digestOf } from '@gemini-mcp/gemini/internal';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import { describeProblem, readUpstreamConfig } from '@gemini-mcp/upstreams';
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

type ApproveToolsOptions = {
  readonly server: string;
  readonly tools: readonly string[] | 'all';
  /** The digest of the content the user has seen; null to show it only. */
  readonly confirmed: string | null;
};

/** Shows the withheld tools of a server and approves exactly those shown. */
export async function approveServerTools(
  options: ApproveToolsOptions,
  place: McpContext,
  signal: AbortSignal,
): Promise<McpResult> {
  const opened = await place.open();
  try {
    await opened.connect(options.server, signal);
    const servers = await opened.servers.list({ waitMs: 0 }, signal);
    const server = servers.find(({ name }) => name === options.server);
    if (server === undefined) {
      return unknown(options.server, servers);
    }
    const isNoOnes = options.confirmed !== null && opened.needsPrincipal && !server.isShared;
    return isNoOnes ? refusedCommand(whoseServer(server.name)) : await approve(options, { server, servers, opened });
  } finally {
    await opened.close();
  }
}

type Approved = {
  readonly server: UpstreamSnapshot;
  /** All servers, because a tool may be suspicious for resembling a tool of another server. */
  readonly servers: readonly UpstreamSnapshot[];
  readonly opened: ServersAtTerminal;
};

async function approve(
  { tools, confirmed }: ApproveToolsOptions,
  { server, servers, opened }: Approved,
): Promise<McpResult> {
  const name = escapeName(server.name);
  const asked = toolsAsked(server, tools);
  if (typeof asked === 'string') {
    return refusedCommand(`${name} ${asked}`);
  }
  if (asked.length === 0) {
    return done(`${name} has no withheld tools${tools === 'all' ? '' : ' among these'}.`);
  }
  const flags = flagsOf(server, servers);
  const shown = asked.flatMap((tool) => showTool(tool, flags));
  const readable = asked.filter(({ judgement }) => judgement.type === 'withheld' && judgement.reason !== 'unreadable');
  if (readable.length === 0) {
    return noted(done(...shown), ['These tools cannot be approved.']);
  }
  const digest = digestOfShown([opened.owner, server.name, readable.map(({ listed }) => orderMembers(listed))]);
  if (confirmed !== digest) {
    const asking = noted(done(...shown), [askForYes(digest, confirmed, 'approved')]);
    return { ...asking, exitCode: confirmed === null ? 0 : 1 };
  }
  const problem = await opened.approve({ shown: server, tools: readable.map(({ listed }) => listed.name) });
  return problem === null
    ? done(...shown, `Approved: ${countOf(readable.length, 'tool')} of ${name}`)
    : { ...refusedCommand(escapeName(problem)), output: done(...shown).output };
}

/** The withheld tools among those asked for, or the rest of a sentence that says why they are unknown. */
function toolsAsked(
  { lists, listProblem }: UpstreamSnapshot,
  tools: ApproveToolsOptions['tools'],
): readonly JudgedTool[] | string {
  if (lists === null) {
    return `has not listed its tools. ${escapeName(listProblem ?? 'mcp list says why.')}`;
  }
  const names = lists.tools.map(({ listed }) => listed.name);
  const missing = tools === 'all' ? undefined : tools.find((tool) => !names.includes(tool));
  if (missing !== undefined) {
    return `has no tool ${escapeName(missing)}. ${meantBy(missing, names, seeList)}`;
  }
  return lists.tools.filter(
    ({ listed, judgement }) => judgement.type === 'withheld' && (tools === 'all' || tools.includes(listed.name)),
  );
}

const why = {
  new: 'is new',
  changed: 'has changed',
  unreadable: 'has a definition too large to read, and stays withheld',
} as const;

/** Flags suspicious tools of a server, compared with the tools of all other servers and our own. */
function flagsOf({ name }: UpstreamSnapshot, servers: readonly UpstreamSnapshot[]): readonly ToolFlag[] {
  const tools = servers.flatMap(({ name: server, lists }) =>
    (lists?.tools ?? []).map(({ listed }) => ({ server, tool: listed.name, description: listed.description })),
  );
  const ownNames = toolDeclarations.map((tool) => tool.name);
  return findToolFlags(tools, ownNames).filter(({ server }) => server === name);
}

function showTool({ listed, judgement }: JudgedTool, flags: readonly ToolFlag[]): readonly string[] {
  if (judgement.type === 'offered') {
    return [];
  }
  return [
    `${escapeName(listed.name)} ${why[judgement.reason]}:`,
    ...judgement.diff
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `  ${escapeName(line)}`),
    ...flags.filter(({ tool }) => tool === listed.name).map(({ detail }) => `  Look at it: ${escapeName(detail)}`),
    '',
  ];
}

function unknown(server: string, servers: readonly UpstreamSnapshot[]): McpResult {
  const known = servers.map(({ name }) => name);
  return refusedCommand(`No enabled server is named ${escapeName(server)}. ${meantBy(server, known, seeList)}`);
}

/** The most that is read of unapproved settings. */
const maxBytes = 64_000;

/** Shows the settings of the project in the current directory and approves exactly this text at this path. */
export async function approveProject(
  { confirmed }: { readonly confirmed: string | null },
  place: McpContext,
): Promise<McpResult> {
  const path = place.paths.project;
  const text = path === null ? null : await readText(path);
  if (path === null || text === null) {
    return refusedCommand(
      `This project has no server settings${path === null ? ' here' : `: ${escapeName(path)} is missing, unreadable or longer than ${maxBytes / 1_000} kB`}.`,
    );
  }
  const project = { directory: place.projectDirectory, digest: digestOf(text) };
  const shown = [`${escapeName(path)}:`, ...text.split(/\r\n|[\r\n]/).map((line) => `  ${escapeLine(line)}`)];
  const problems = readUpstreamConfig(text, path).problems.map(describeProblem);
  if (await place.projects.isApproved(project)) {
    return noted(done(...shown), [...problems, 'These settings are already approved.']);
  }
  const digest = digestOfShown(project);
  if (confirmed !== digest) {
    const asking = [
      ...problems,
      'Its programs would run with your permissions.',
      askForYes(digest, confirmed, 'approved'),
    ];
    return { ...noted(done(...shown), asking), exitCode: confirmed === null ? 0 : 1 };
  }
  const problem = await place.projects.approve(project, place.clock.now());
  return problem === null
    ? noted(done(...shown, 'Approved. After a change of the file, approve it again.'), problems)
    : { ...refusedCommand(escapeName(problem)), output: done(...shown).output };
}

/** Null if the path is not a settings file. Invalid UTF-8 counts as unreadable, because its display would differ from its bytes. */
async function readText(path: string): Promise<string | null> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > maxBytes) {
      return null;
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch {
    return null;
  }
}

function escapeLine(line: string): string {
  return line.split('\t').map(escapeName).join('\t');
}

/**
 * Hex digits of a digest that stands for shown content. The author of the content may choose two versions of it: with fewer digits,
 * a colliding pair could be found within minutes.
 */
const digits = 32;

/** A digest of the shown content. `--yes` with this digest applies exactly that content. */
export function digestOfShown(shown: unknown): string {
  return digestOf(JSON.stringify(shown)).slice(0, digits);
}

/** Asks for `--yes` with the digest of the shown content. `verb` is a participle such as `approved`. */
export function askForYes(digest: string, confirmed: string | null, verb: string): string {
  const why = confirmed === null ? '' : 'The content has changed since you confirmed it. ';
  return `${why}Nothing is ${verb} yet. To confirm exactly this, run the same command with --yes ${digest}`;
}
