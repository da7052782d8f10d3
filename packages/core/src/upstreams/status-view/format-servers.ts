import { escapeName } from '../../text/escape-name.ts';
import { countOf } from '../../text/format-count.ts';
import type { PromptView, ServersView, ServerView, ToolView } from './servers-view.ts';

/** Lines with line ends for a terminal. Text from servers is escaped, and long text is cut. */
export function formatServers({ servers, problems }: ServersView): string {
  const told = problems.map((problem) => `Settings: ${cut(problem, maxSentence)}\n`).join('');
  const blocks = servers.map((server) => `${formatServer(server).join('\n')}\n`);
  return [...blocks, ...(told === '' ? [] : [told])].join('\n');
}

const maxSentence = 600;
const maxWords = 110;
const maxName = 200;
const maxProblemLines = 20;

const states: Readonly<Record<ServerView['state'], string>> = {
  disabled: 'off',
  disconnected: 'not connected: connects on the next request',
  connecting: 'connecting',
  connected: 'connected',
  'awaiting-login': 'login required',
  failed: 'failed',
};

const transports = { stdio: 'stdio', http: 'http', sse: 'sse', either: 'http or sse' } as const;

function formatServer(server: ServerView): readonly string[] {
  const { name, transport, state, place, description, problem, advice } = server;
  const marks = [
    ...(transport === null ? [] : [transports[transport]]),
    ...(server.trusted ? ['trusted'] : []),
    ...(server.shared ? ['shared'] : []),
  ];
  return [
    `${shown(name)}: ${states[state]}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`,
    ...(place === undefined ? [] : [`  ${cut(place, maxWords)}`]),
    ...(description === null ? [] : [`  ${cut(description, maxWords)}`]),
    ...(problem === null ? [] : formatProblem(problem)),
    ...(advice === null ? [] : [`  To do: ${cut(advice, maxSentence)}`]),
    ...formatLists(server),
  ];
}

/** Text from a server stays on its own marked lines. */
function formatProblem(problem: string): readonly string[] {
  const [first = '', ...others] = problem.split('\n').filter((line) => !/^\|\s*$/.test(line));
  return [
    `  Problem: ${cut(first, maxSentence)}`,
    ...others
      .slice(0, maxProblemLines)
      .map((line) => `${line.startsWith('|') ? '    ' : '  '}${cut(line, maxSentence)}`),
  ];
}

function formatLists(view: ServerView): readonly string[] {
  const { state, listedAt, tools, prompts, resources, leftOut } = view;
  const isEmpty = tools.length + prompts.length + resources.length + leftOut.length === 0;
  return [
    ...(isEmpty && state === 'connected' && listedAt !== null ? ['  It offers no tools, prompts or resources.'] : []),
    ...section('tool', tools, formatTool),
    ...section('prompt', prompts, (prompt) => [formatPrompt(prompt)]),
    ...section('resource', resources, ({ uri, description, name }) => [line(shown(uri), description || name)]),
    ...leftOut.map((sentence) => `  Left out: ${cut(sentence, maxSentence)}`),
    ...(listedAt === null ? [] : [`  Listed ${listedAt.slice(0, 16).replace('T', ' ')} UTC`]),
  ];
}

function section<Item>(
  noun: string,
  items: readonly Item[],
  format: (item: Item) => readonly string[],
): readonly string[] {
  return items.length === 0 ? [] : [`  ${countOf(items.length, noun)}:`, ...items.flatMap(format)];
}

const whyWithheld = {
  new: 'withheld: it is new',
  changed: 'withheld: it has changed',
  unreadable: 'withheld: its definition is too large to read',
} as const;

function formatTool(tool: ToolView): readonly string[] {
  const { name, arguments: taken, description, title, withheld, setAside, flags } = tool;
  const call = `${shown(name)}(${taken.map(formatArgument).join(', ')})`;
  return [
    line(cut(call, maxSentence), description || (title ?? '')),
    ...(withheld === null ? [] : [`      ${whyWithheld[withheld.reason]}`]),
    ...(setAside === null ? [] : [`      not offered to Gemini: ${cut(setAside, maxSentence)}`]),
    ...flags.map((flag) => `      check: ${cut(flag, maxSentence)}`),
  ];
}

function formatPrompt({ name, arguments: taken, description, title }: PromptView): string {
  const call = `${shown(name)}(${taken.map((one) => formatArgument({ ...one, type: 'string' })).join(', ')})`;
  return line(cut(call, maxSentence), description || (title ?? ''));
}

/** Most arguments are strings, so that type is omitted. */
function formatArgument({ name, type, required }: ToolView['arguments'][number]): string {
  return `${shown(name)}${required ? '' : '?'}${type === 'string' ? '' : `: ${shown(type)}`}`;
}

function line(head: string, words: string): string {
  return words === '' ? `    ${head}` : `    ${head}  ${cut(words, maxWords)}`;
}

/** On one line; longer text is cut at the end. */
function cut(words: string, max: number): string {
  const plain = words
    .slice(0, max * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const short = plain.length > max || words.length > max * 4 ? `${plain.slice(0, max).trimEnd()}…` : plain;
  return escapeName(short);
}

function shown(name: string): string {
  return escapeName(name.length > maxName ? `${name.slice(0, maxName)}…` : name);
}
