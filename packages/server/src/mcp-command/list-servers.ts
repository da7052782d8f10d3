import { escapeName, formatServers, viewServers } from '@gemini-mcp/core/internal';
import { digestOf } from '@gemini-mcp/gemini/internal';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import { describeProblem, describeTarget } from '@gemini-mcp/upstreams';
import { formatJson } from '../command-line/run-sessions.ts';
import { serversOff } from '../upstreams/upstream-config-files.ts';
import {
  done,
  type McpContext,
  type McpResult,
  meantBy,
  noted,
  refusedCommand,
  type ServersAtTerminal,
  seeList,
} from './mcp-context.ts';
import type { McpAction } from './read-mcp-words.ts';

type ListAction = Extract<McpAction, { readonly action: 'list' }>;

/** Shows the status of all servers, or of one. */
export async function listServers(
  { server, json }: ListAction,
  place: McpContext,
  signal: AbortSignal,
): Promise<McpResult> {
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
