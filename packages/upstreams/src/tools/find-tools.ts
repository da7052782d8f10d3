import type { ModelTool, StepRefusal, ToolCall, ToolResult } from '@gemini-mcp/core';
import { countOf, escapeName, nearestName, type UpstreamSnapshot } from '@gemini-mcp/core/internal';
import { refusedToolResult, refuseToolCall } from './describe-reply.ts';
import { searchTools } from './search-tools.ts';
import type { ShelvedTool, ToolCatalog, WithheldTool } from './tool-catalog.ts';

const maxFound = 20;
/** Shows the arguments of this many tools. */
const maxWithSchema = 3;
const maxLineCharacters = 160;
/** Limits all schemas in one answer: ask for the others by name. */
const maxSchemaCharacters = 12_000;
/** Limits a schema requested by its tool's name. */
const maxNamedCharacters = 30_000;
const maxWithheld = 5;
const maxNames = 50;

/** Answers `find_tools`: names, a line on each, and the schemas of the best matches. */
export function answerFindTools(
  args: Readonly<Record<string, unknown>>,
  { tools, byName, keptBack }: ToolCatalog,
  servers: readonly UpstreamSnapshot[],
): ToolResult {
  const { query, server } = args;
  if (typeof query !== 'string' || !(server === undefined || server === null || typeof server === 'string')) {
    return refusedToolResult(
      refuseToolCall('invalid-arguments', 'query must be a text, and server the name of a server or missing.'),
    );
  }
  const isKnown = typeof server !== 'string' || servers.some(({ name }) => name === server);
  if (!isKnown) {
    return refusedToolResult(refuseToolCall('not-found', ...noSuchServer(server, servers)));
  }
  const named = byName.get(query.trim());
  if (named !== undefined) {
    return found([named], tools.length, maxNamedCharacters, []);
  }
  const isInScope = (one: { readonly server: string }): boolean => typeof server !== 'string' || one.server === server;
  // Searches the whole list, so that the index is built once.
  const results = searchTools({ tools, text: query, max: tools.length }).filter(isInScope).slice(0, maxFound);
  const missed = [...keptBack.entries()].filter(([name, tool]) => isInScope(tool) && isAskedFor(query, name, tool));
  const unlisted = servers.filter((one) => one.lists === null && isInScope({ server: one.name }));
  const notes = [...missed.slice(0, maxWithheld).map(noteOf), ...unlisted.slice(0, maxWithheld).map(noteOfServer)];
  return found(results, tools.length, maxSchemaCharacters, notes);
}

function noSuchServer(server: string, servers: readonly UpstreamSnapshot[]): readonly [message: string, hint: string] {
  const names = servers.map(({ name }) => name);
  const nearest = nearestName(server.slice(0, 100), names);
  const hint = nearest === null ? `Servers: ${shownNames(names)}.` : `Did you mean ${escapeName(nearest)}?`;
  return [`No server ${escapeName(server.slice(0, 100))} is available.`, hint];
}

function shownNames(names: readonly string[]): string {
  return names.slice(0, maxNames).map(escapeName).join(', ');
}

/** Whether the name contains all words of the query. */
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
  return `Unavailable: ${name}. ${reason}`;
}

/** Explains why a server has no lists. */
export function noteOfServer({ name, ...server }: UpstreamSnapshot): string {
  return `The tools of ${escapeName(name.slice(0, 100))} are unknown. ${whyUnlisted(server)}`;
}

function whyUnlisted({ listProblem, state }: Pick<UpstreamSnapshot, 'listProblem' | 'state'>): string {
  switch (state.type) {
    case 'awaiting-login':
      return 'The user has to log in.';
    case 'failed': {
      // The server's text is quoted on the lines below.
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
      ? `None of ${countOf(count, 'tool')} matches. Try other words, or an empty query for the first tools.`
      : `Found ${results.length} of ${countOf(count, 'tool')}, best first. Call one with ${callTool}.`;
  const lines = results.map(({ modelTool, title, description }) => {
    const words = [title, description].filter((text) => text !== null && text !== '').join(': ');
    return `${modelTool.name}${words === '' ? '' : `: ${cut(escapeName(words.slice(0, 1_000).replace(/\s+/g, ' ')))}`}`;
  });
  const text = [opening, ...lines, ...schemasOf(results, room), ...notes].join('\n');
  return { text, data: { tools: results.map(({ modelTool }) => modelTool.name) }, isDone: true };
}

function schemasOf(results: readonly ShelvedTool[], room: number): readonly string[] {
  const lines: string[] = [];
  let left = room;
  for (const { modelTool } of results.slice(0, maxWithSchema)) {
    const schema = JSON.stringify(modelTool.inputSchema);
    const isShown = schema.length <= left;
    left -= isShown ? schema.length : 0;
    const told = isShown
      ? schema
      : `too long to be shown here (${schema.length} characters). Search for it by this name, or call it: the answer lists any mistakes.`;
    lines.push(`Arguments of ${modelTool.name}: ${told}`);
  }
  return lines;
}

function cut(text: string): string {
  return text.length > maxLineCharacters ? `${text.slice(0, maxLineCharacters - 1)}…` : text;
}

/** The tool that a call names, and its arguments under the names that Gemini knows. */
type ReadCall =
  | { readonly refusal: null; readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly refusal: StepRefusal };

/** The Gemini CLI (0.61) adds it to the arguments of each tool, and passes it on. */
const addedByCli = 'wait_for_previous';

/** Reads a call of a tool, or of `call_tool`. */
export function readToolCall({ name, arguments: args }: ToolCall, catalog: ToolCatalog): ReadCall {
  if (name !== callTool) {
    return { refusal: null, name, args: ownArguments(name, args, catalog) };
  }
  const { name: called, arguments: given } = args;
  const passed = typeof given === 'string' ? parseObject(given) : given;
  if (typeof called !== 'string' || !isObject(passed)) {
    return {
      refusal: refuseToolCall('invalid-arguments', 'name must be the name of a tool, and arguments an object.'),
    };
  }
  return { refusal: null, name: called, args: ownArguments(called, passed, catalog) };
}

/** Removes the argument that the CLI adds, unless the tool declares it. */
function ownArguments(
  name: string,
  args: Readonly<Record<string, unknown>>,
  { byName }: ToolCatalog,
): Readonly<Record<string, unknown>> {
  const properties = byName.get(name)?.modelTool.inputSchema['properties'];
  if (isObject(properties) && Object.hasOwn(properties, addedByCli)) {
    return args;
  }
  const { [addedByCli]: _, ...own } = args;
  return own;
}

/** Models sometimes write an object as JSON text. */
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

/** Searches tools when there are too many to declare. */
export const findTools = 'find_tools';
const callTool = 'call_tool';

/** Each request of a run carries this list: about 300 tokens of names. */
const maxServersCharacters = 1_200;
const maxNameCharacters = 60;
const maxDescriptionCharacters = 100;

/** Declares `find_tools` and `call_tool`, listing the servers that they reach. */
export function declareSearch(servers: readonly UpstreamSnapshot[]): readonly ModelTool[] {
  const find: ModelTool = {
    name: findTools,
    description:
      'Searches the tools of other servers: returns names, a line on each, and the arguments of the best matches. Search before you ' +
      `say that something cannot be done. The servers:\n${listServers(servers)}`,
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'What the tool should do, in a few English words, or the name of a tool.',
        },
        server: { type: 'string', description: 'Searches only the tools of this server.' },
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
        name: { type: 'string', description: `Its name, as returned by ${findTools}.` },
        arguments: { type: 'object', description: 'The arguments, as its schema requires.' },
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
