import { canonicalJson } from '@gemini-mcp/core/internal';
import { findNodeAtLocation, type ParseError, parseTree } from 'jsonc-parser';
import { digestOf } from '../digest-of.ts';
import { readServerEntry, type ServerEntry } from './read-server-entry.ts';
import { describeJsonFault, type SettingProblem, SettingsNode } from './settings-node.ts';

export type UpstreamConfig = {
  /** By name, in the order of the file. */
  readonly servers: ReadonlyMap<string, ServerEntry>;
  /** The only servers that may be used; null allows all. */
  readonly allowed: readonly string[] | null;
  /** Servers that may not be used. */
  readonly excluded: readonly string[];
  /** Environment variables that the settings may refer to. */
  readonly variables: readonly string[];
  readonly problems: readonly SettingProblem[];
};

/** Variables that settings may refer to without permission: they contain no secrets. */
export const usualVariables: readonly string[] = [
  'HOME',
  'USER',
  'USERPROFILE',
  'PWD',
  'TMPDIR',
  'TEMP',
  'LANG',
  'APPDATA',
  'LOCALAPPDATA',
];

const maxCharacters = 1_000_000;

/**
 * Reads `mcpServers` and `mcp` of a settings file: JSON with comments and trailing commas. Reports each mistake with its line and reads the rest; a
 * file that is not JSON counts as empty.
 */
export function readUpstreamConfig(text: string, file: string): UpstreamConfig {
  const problems: SettingProblem[] = [];
  const lineOf = createLineFinder(text);
  const report = (offset: number, path: string, message: string) => {
    problems.push({ file, line: lineOf(offset), path, message });
  };
  const root = text.trim() === '' ? null : parseRoot(text, report);
  const members =
    root === null ? null : new SettingsNode(root, [], report).membersNamed(['mcpServers', 'mcp', '$schema']);
  const servers = readServers(members?.get('mcpServers'));
  return { servers, ...readLists(members?.get('mcp'), servers), problems };
}

const maxUnapprovedCharacters = 64_000;

/**
 * The names of the servers in settings that the user has not approved, and nothing else of them. Null if the text is not JSON, or longer than is read
 * of such a file.
 */
export function readServerNames(text: string): readonly string[] | null {
  const root = text.length > maxUnapprovedCharacters ? null : parseTreeSafely(text, []);
  const servers = root === null ? undefined : findNodeAtLocation(root, ['mcpServers']);
  const names = (servers?.children ?? []).flatMap(({ children }) => children?.[0]?.value ?? []);
  return root === null && text.trim() !== '' ? null : names.map(String);
}

function readServers(node: SettingsNode | undefined): ReadonlyMap<string, ServerEntry> {
  const servers = new Map<string, ServerEntry>();
  for (const [name, member] of node?.members() ?? []) {
    const entry = readServerEntry(name, member);
    if (entry !== null) {
      servers.set(name, entry);
    }
  }
  return servers;
}

/** A `mcp.allowed` that cannot be read allows no server; such a `mcp.excluded` excludes every server. */
function readLists(
  node: SettingsNode | undefined,
  servers: ReadonlyMap<string, ServerEntry>,
): Pick<UpstreamConfig, 'allowed' | 'excluded' | 'variables'> {
  if (node === undefined) {
    return { allowed: null, excluded: [], variables: usualVariables };
  }
  const lists = node.membersNamed(['allowed', 'excluded', 'variables']);
  const excluded = lists?.get('excluded')?.texts();
  return {
    allowed: lists === null ? [] : lists.texts('allowed'),
    excluded: excluded === null ? [...servers.keys()] : (excluded ?? []),
    variables: [...usualVariables, ...(lists?.texts('variables') ?? [])],
  };
}

function parseRoot(text: string, report: (offset: number, path: string, message: string) => void) {
  if (text.length > maxCharacters) {
    report(0, '', `Has more than ${maxCharacters} characters.`);
    return null;
  }
  const errors: ParseError[] = [];
  const root = parseTreeSafely(text, errors);
  const [error] = errors;
  if (root === null || error !== undefined) {
    report(error?.offset ?? 0, '', `Not valid JSON: ${describeJsonFault(error)}. The whole file is ignored.`);
    return null;
  }
  return root;
}

function parseTreeSafely(text: string, errors: ParseError[]) {
  try {
    // Editors may write a byte order mark.
    return parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true }) ?? null;
  } catch {
    // The nesting exceeds the stack.
    return null;
  }
}

/** Finds the line of an offset, from 1. */
function createLineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\r\n|[\r\n]/g)].map(({ 0: end, index }) => index + end.length)];
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}

/**
 * Merges the settings of several files; earlier files win, also for a server of the same name. A server is allowed only if all files allow it, and
 * excluded if one excludes it.
 */
export function mergeUpstreamConfig(all: readonly UpstreamConfig[]): UpstreamConfig {
  const lists = all.map(({ allowed }) => allowed).filter((list) => list !== null);
  const [first, ...others] = lists;
  return {
    servers: new Map(all.toReversed().flatMap(({ servers }) => [...servers])),
    allowed: first === undefined ? null : first.filter((name) => others.every((list) => list.includes(name))),
    excluded: [...new Set(all.flatMap(({ excluded }) => excluded))],
    variables: [...new Set(all.flatMap(({ variables }) => variables))],
    problems: all.flatMap(({ problems }) => problems),
  };
}

/** Whether a server may be used, by the lists of names and by its own entry. */
export function isServerOn({ servers, allowed, excluded }: UpstreamConfig, name: string): boolean {
  const isAllowed = allowed === null || allowed.includes(name);
  return isAllowed && !excluded.includes(name) && servers.get(name)?.isEnabled === true;
}

/**
 * Binds the digests to a place: `node server.js` is another server in another project, and an approval of one does not count for the other.
 */
export function bindToPlace(settings: UpstreamConfig, place: string): UpstreamConfig {
  const servers = [...settings.servers].map(
    ([name, entry]) => [name, { ...entry, digest: digestOf(canonicalJson([place, entry.digest])) }] as const,
  );
  return { ...settings, servers: new Map(servers) };
}
