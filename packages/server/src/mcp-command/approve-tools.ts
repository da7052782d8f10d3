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
  refused,
  type ServersAtTerminal,
  seeList,
  whoseServer,
} from './mcp-context.ts';

type ApproveToolsOptions = {
  readonly server: string;
  readonly tools: readonly string[] | 'all';
  /** The digest of what the user has seen; null if it is only to be shown. */
  readonly confirmed: string | null;
};

/** Shows the tools of a server that are withheld, and approves just what it shows. */
export async function approveTools(
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
    return isNoOnes ? refused(whoseServer(server.name)) : await approve(options, { server, servers, opened });
  } finally {
    await opened.close();
  }
}

type Approved = {
  readonly server: UpstreamSnapshot;
  /** All of them: what is odd about a tool may be its likeness to that of another one. */
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
    return refused(`${name} ${asked}`);
  }
  if (asked.length === 0) {
    return done(`Nothing of ${name} is withheld${tools === 'all' ? '' : ' there'}.`);
  }
  const flags = flagsOf(server, servers);
  const shown = asked.flatMap((tool) => showTool(tool, flags));
  const readable = asked.filter(({ judgement }) => judgement.type === 'withheld' && judgement.reason !== 'unreadable');
  if (readable.length === 0) {
    return noted(done(...shown), ['None of them can be approved.']);
  }
  const digest = digestOfShown([opened.owner, server.name, readable.map(({ listed }) => orderMembers(listed))]);
  if (confirmed !== digest) {
    const asking = noted(done(...shown), [askForYes(digest, confirmed, 'approved')]);
    return { ...asking, exitCode: confirmed === null ? 0 : 1 };
  }
  const problem = await opened.approve({ shown: server, tools: readable.map(({ listed }) => listed.name) });
  return problem === null
    ? done(...shown, `Approved: ${countOf(readable.length, 'tool')} of ${name}`)
    : { ...refused(escapeName(problem)), output: done(...shown).output };
}

/** Those of the tools that are withheld; the rest of a sentence where there are none to speak of. */
function toolsAsked(
  { lists, listProblem }: UpstreamSnapshot,
  tools: ApproveToolsOptions['tools'],
): readonly JudgedTool[] | string {
  if (lists === null) {
    return `has not said which tools it has. ${escapeName(listProblem ?? 'mcp list says why.')}`;
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
  unreadable: 'has a definition that is too large to be read, and stays withheld',
} as const;

/** What is odd about the tools of a server, next to those of all others and ours. */
function flagsOf({ name }: UpstreamSnapshot, servers: readonly UpstreamSnapshot[]): readonly ToolFlag[] {
  const tools = servers.flatMap(({ name: server, lists }) =>
    (lists?.tools ?? []).map(({ listed }) => ({ server, tool: listed.name, description: listed.description })),
  );
  const ownNames = toolDeclarations.map((tool) => tool.name);
  return findToolFlags(tools, ownNames).filter(({ server }) => server === name);
}

function showTool({ listed, judgement }: JudgedTool, flags: readonly ToolFlag[]): readonly string[] {
  if (judgement.type === 'lent') {
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
  return refused(`There is no server ${escapeName(server)} that is on. ${meantBy(server, known, seeList)}`);
}

/** As much as is read of settings that are not approved. */
const maxBytes = 64_000;

/** Shows the settings of the project in the current directory, and approves just what it shows: this text in this place. */
export async function approveProject(
  { confirmed }: { readonly confirmed: string | null },
  place: McpContext,
): Promise<McpResult> {
  const path = place.paths.project;
  const text = path === null ? null : await readText(path);
  if (path === null || text === null) {
    return refused(
      `This project has no settings of servers${path === null ? ' here' : `: there is no ${escapeName(path)}, or it cannot be read, or it is longer than ${maxBytes / 1_000} kB`}.`,
    );
  }
  const project = { directory: place.projectDirectory, digest: digestOf(text) };
  const shown = [`${escapeName(path)}:`, ...text.split(/\r\n|[\r\n]/).map((line) => `  ${escapeLine(line)}`)];
  const problems = readUpstreamConfig(text, path).problems.map(describeProblem);
  if (await place.projects.isApproved(project)) {
    return noted(done(...shown), [...problems, 'These settings are approved as they are.']);
  }
  const digest = digestOfShown(project);
  if (confirmed !== digest) {
    const asking = [...problems, 'Its programs would run with your rights.', askForYes(digest, confirmed, 'approved')];
    return { ...noted(done(...shown), asking), exitCode: confirmed === null ? 0 : 1 };
  }
  const problem = await place.projects.approve(project, place.clock.now());
  return problem === null
    ? noted(done(...shown, 'Approved. A change of the file has to be approved again.'), problems)
    : { ...refused(escapeName(problem)), output: done(...shown).output };
}

/** Null for what is no file of settings. Bytes that are no text would be shown as others: such a file is none. */
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
 * Stands for what a command shows and would do. The author of what is shown may choose two versions of it: with fewer digits, a pair with the same
 * digest would be found within minutes.
 */
const digits = 32;

/** Names what a command has shown, for `--yes`, which does that and nothing else. */
export function digestOfShown(shown: unknown): string {
  return digestOf(JSON.stringify(shown)).slice(0, digits);
}

/** Asks for `--yes` with the digest of what is shown; `done` is such as `approved`. */
export function askForYes(digest: string, confirmed: string | null, verb: string): string {
  const why = confirmed === null ? '' : 'What is shown now is not what you have confirmed. ';
  return `${why}Nothing is ${verb} yet. If you want just what is shown, say so by the same command with --yes ${digest}`;
}
