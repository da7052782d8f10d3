import type { ModelTool, StepRefusal, ToolCall, ToolResult } from '@gemini-mcp/core';
import { countOf, escapeName, nearestName, type UpstreamSnapshot } from '@gemini-mcp/core/internal';
import { refuse, refusedResult } from './describe-reply.ts';
import { searchTools } from './search-tools.ts';
import type { ShelvedTool, ToolCatalog, WithheldTool } from './tool-catalog.ts';

const maxFound = 20;
/** Of which the arguments are shown. */
const maxWithSchema = 3;
const maxLineCharacters = 160;
/** Of all schemas of an answer: the rest is asked for by name. */
const maxSchemaCharacters = 12_000;
/** Of the one schema that is asked for by the name of its tool. */
const maxNamedCharacters = 30_000;
const maxWithheld = 5;
const maxNames = 50;

/** Finds tools for Gemini: names, a line on each, and the schemas of the best. */
export function answerFindTools(
  args: Readonly<Record<string, unknown>>,
  { tools, byName, keptBack }: ToolCatalog,
  servers: readonly UpstreamSnapshot[],
): ToolResult {
  const { query, server } = args;
  if (typeof query !== 'string' || !(server === undefined || server === null || typeof server === 'string')) {
    return refusedResult(refuse('invalid-arguments', 'query is a text, and server the name of a server or missing.'));
  }
  const isKnown = typeof server !== 'string' || servers.some(({ name }) => name === server);
  if (!isKnown) {
    return refusedResult(refuse('not-found', ...noSuchServer(server, servers)));
  }
  const named = byName.get(query.trim());
  if (named !== undefined) {
    return found([named], tools.length, maxNamedCharacters, []);
  }
  const isInScope = (one: { readonly server: string }): boolean => typeof server !== 'string' || one.server === server;
  // Searched whole, so that the index is made once.
  const results = searchTools({ tools, text: query, max: tools.length }).filter(isInScope).slice(0, maxFound);
  const missed = [...keptBack.entries()].filter(([name, tool]) => isInScope(tool) && isAskedFor(query, name, tool));
  const unlisted = servers.filter((one) => one.lists === null && isInScope({ server: one.name }));
  const notes = [...missed.slice(0, maxWithheld).map(noteOf), ...unlisted.slice(0, maxWithheld).map(noteOfServer)];
  return found(results, tools.length, maxSchemaCharacters, notes);
}

function noSuchServer(server: string, servers: readonly UpstreamSnapshot[]): readonly [message: string, hint: string] {
  const names = servers.map(({ name }) => name);
  const nearest = nearestName(server.slice(0, 100), names);
  const hint = nearest === null ? `There are ${shownNames(names)}.` : `Did you mean ${escapeName(nearest)}?`;
  return [`No server ${escapeName(server.slice(0, 100))} is lent.`, hint];
}

function shownNames(names: readonly string[]): string {
  return names.slice(0, maxNames).map(escapeName).join(', ');
}

/** All the words of the query are in the name. */
function isAskedFor(query: string, name: string, { tool }: WithheldTool): boolean {
  const looked = `${name} ${tool}`.toLowerCase().replace(/[\W_]+/g, ' ');
  const words = query
    .slice(0, 300)
    .toLowerCase()
    .split(/[\W_]+/)
    .filter((word) => word !== '');
  return words.length > 0 && words.every((word) => looked.includes(word));
}

function noteOf([name, { reason }]: readonly [string, WithheldTool]): string {
  return `Not to be called: ${name}. ${reason}`;
}

/** Of a server without lists: that there are none, and why. */
export function noteOfServer({ name, ...server }: UpstreamSnapshot): string {
  return `No tools of ${escapeName(name.slice(0, 100))} are known. ${whyUnlisted(server)}`;
}

function whyUnlisted({ listProblem, state }: Pick<UpstreamSnapshot, 'listProblem' | 'state'>): string {
  switch (state.type) {
    case 'awaiting-login':
      return 'The user has to log in.';
    case 'failed': {
      // What the server wrote is quoted on the lines below.
      const [sentences = ''] = state.failure.detail.split('\n');
      return sentences.replace(/(?<=\.) [^.]*:$/, '').replace(/:$/, '.');
    }
    default:
      return listProblem ?? 'It has not answered yet.';
  }
}

function found(results: readonly ShelvedTool[], count: number, room: number, notes: readonly string[]): ToolResult {
  const opening =
    results.length === 0
      ? `None of ${countOf(count, 'tool')} fits. Try other words, or an empty query for the first of all.`
      : `Found ${results.length} of ${countOf(count, 'tool')}, best first. Call one with ${callTool}.`;
  const lines = results.map(({ lent, title, description }) => {
    const words = [title, description].filter((text) => text !== null && text !== '').join(': ');
    return `${lent.name}${words === '' ? '' : `: ${cut(escapeName(words.slice(0, 1_000).replace(/\s+/g, ' ')))}`}`;
  });
  const text = [opening, ...lines, ...schemasOf(results, room), ...notes].join('\n');
  return { text, data: { tools: results.map(({ lent }) => lent.name) }, isDone: true };
}

function schemasOf(results: readonly ShelvedTool[], room: number): readonly string[] {
  const lines: string[] = [];
  let left = room;
  for (const { lent } of results.slice(0, maxWithSchema)) {
    const schema = JSON.stringify(lent.inputSchema);
    const isShown = schema.length <= left;
    left -= isShown ? schema.length : 0;
    const told = isShown
      ? schema
      : `too long to be shown here (${schema.length} characters). Look for it by this name, or call it: what does not fit is told.`;
    lines.push(`Arguments of ${lent.name}: ${told}`);
  }
  return lines;
}

function cut(text: string): string {
  return text.length > maxLineCharacters ? `${text.slice(0, maxLineCharacters - 1)}…` : text;
}

/** Which tool a call is of, by the name under which it is lent, and its arguments under the names that Gemini knows. */
type ReadCall =
  | { readonly refusal: null; readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly refusal: StepRefusal };

/** The Gemini CLI (0.61) adds it to the arguments of each tool, and hands it on. */
const addedByCli = 'wait_for_previous';

/** Reads a call of a tool, or of `call_tool`. */
export function readCall({ name, arguments: args }: ToolCall, catalog: ToolCatalog): ReadCall {
  if (name !== callTool) {
    return { refusal: null, name, args: ownArguments(name, args, catalog) };
  }
  const { name: called, arguments: given } = args;
  const passed = typeof given === 'string' ? parseObject(given) : given;
  if (typeof called !== 'string' || !isObject(passed)) {
    return { refusal: refuse('invalid-arguments', 'name is the name of a tool, and arguments an object.') };
  }
  return { refusal: null, name: called, args: ownArguments(called, passed, catalog) };
}

/** Without what the CLI adds, unless the tool has such an argument itself. */
function ownArguments(
  name: string,
  args: Readonly<Record<string, unknown>>,
  { byName }: ToolCatalog,
): Readonly<Record<string, unknown>> {
  const properties = byName.get(name)?.lent.inputSchema['properties'];
  if (isObject(properties) && Object.hasOwn(properties, addedByCli)) {
    return args;
  }
  const { [addedByCli]: _, ...own } = args;
  return own;
}

/** Models write an object as its text at times. */
function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The tools in place of more tools than are declared. */
export const findTools = 'find_tools';
const callTool = 'call_tool';

/** Each request of a run has them: some 300 tokens of names. */
const maxServersCharacters = 1_200;
const maxNameCharacters = 60;
const maxDescriptionCharacters = 100;

/** The declarations of `find_tools` and `call_tool`, with the servers whose tools they reach. */
export function declareSearch(servers: readonly UpstreamSnapshot[]): readonly ModelTool[] {
  const find: ModelTool = {
    name: findTools,
    description:
      'Finds tools of other servers by what they do: returns their names, a line on each, and the arguments of the best. Look here before you ' +
      `say that something cannot be done. The servers:\n${listServers(servers)}`,
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'What the tool should do, in a few English words, or the name of a tool.',
        },
        server: { type: 'string', description: 'Looks among the tools of this server alone.' },
      },
      required: ['query'],
    },
    changes: false,
  };
  const call: ModelTool = {
    name: callTool,
    description: `Calls a tool that ${findTools} has found.`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: `Its name, as ${findTools} tells it.` },
        arguments: { type: 'object', description: 'As its schema has them.' },
      },
      required: ['name', 'arguments'],
    },
    changes: true,
  };
  return [find, call];
}

function listServers(servers: readonly UpstreamSnapshot[]): string {
  const lines: string[] = [];
  let characters = 0;
  for (const server of servers) {
    const line = describeServer(server);
    characters += line.length + 1;
    if (characters > maxServersCharacters) {
      break;
    }
    lines.push(line);
  }
  const missing = servers.length - lines.length;
  return [...lines, ...(missing > 0 ? [`and ${countOf(missing, 'more server')}`] : [])].join('\n');
}

function describeServer({ name, description, lists }: UpstreamSnapshot): string {
  const tools = lists === null ? 'not listed yet' : countOf(lists.tools.length, 'tool');
  const words = description === null ? '' : `: ${escapeName(description.slice(0, maxDescriptionCharacters))}`;
  return `${escapeName(name.slice(0, maxNameCharacters))} (${tools})${words}`;
}
