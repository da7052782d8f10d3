import { escapeName } from '@gemini-mcp/core/internal';
import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { parseDocument } from 'yaml';
import { describeJsonFault } from '../settings/settings-node.ts';
import { escapeText } from './convert-references.ts';
import { EntryDraft, type ImportedServer, isObject, isPlain } from './entry-draft.ts';
import { type ImportName, isGeminiLike } from './import-names.ts';
import { toCommonEntry } from './to-common-entry.ts';

export type ImportedSettings = {
  readonly servers: readonly ImportedServer[];
  /** Why something could not be read: sentences for the user. */
  readonly problems: readonly string[];
};

const byPath: readonly (readonly [RegExp, ImportName])[] = [
  [/\.toml$/i, 'codex'],
  [/\.ya?ml$/i, 'continue'],
  [/(?:^|[\\/])\.gemini[\\/]settings\.json$/i, 'gemini-cli'],
  [/(?:^|[\\/])\.qwen[\\/]settings\.json$/i, 'qwen-code'],
  [/(?:^|[\\/])opencode\.jsonc?$/i, 'opencode'],
  [/(?:^|[\\/])(?:mcp-config\.json|\.github[\\/]mcp\.json)$/i, 'copilot-cli'],
  [/(?:^|[\\/])cline_mcp_settings\.json$/i, 'cline'],
  [/(?:^|[\\/])(?:\.gemini|\.agents)[\\/](?:\w+[\\/])?mcp_config\.json$/i, 'antigravity'],
  [/(?:^|[\\/])\.?zed[\\/]settings\.json$/i, 'zed'],
  [/(?:^|[\\/])\.kiro[\\/]settings[\\/]mcp\.json$/i, 'kiro'],
  [/(?:^|[\\/])\.lmstudio[\\/]mcp\.json$/i, 'lm-studio'],
  [/(?:^|[\\/])claude_desktop_config\.json$/i, 'claude-desktop'],
  [/(?:^|[\\/])\.cursor[\\/][^\\/]+$/i, 'cursor'],
  [/(?:^|[\\/])(?:\.vscode|Code(?: - Insiders)?[\\/]User)[\\/]/i, 'vscode'],
  [/(?:^|[\\/])(?:\.mcp|\.claude)\.json$/i, 'claude-code'],
];

/** The client whose settings these are: by the path, otherwise by the content. */
export function detectClient(path: string, text: string): ImportName {
  const known = byPath.find(([pattern]) => pattern.test(path))?.[1];
  if (known !== undefined) {
    return known;
  }
  if (/^\s*\[mcp_servers/m.test(text)) {
    return 'codex';
  }
  if (/"context_servers"\s*:/.test(text)) {
    return 'zed';
  }
  return /"servers"\s*:/.test(text) && !/"mcpServers"\s*:/.test(text) ? 'vscode' : 'claude-code';
}

export type ReadClientSettingsOptions = {
  readonly text: string;
  /** The client whose format the text has. */
  readonly client: ImportName;
  /** For Claude Code, which keeps servers per project directory; null takes no project's servers. */
  readonly directory: string | null;
};

const maxCharacters = 20_000_000;

/** Reads another client's servers, converted to ours. */
export function readClientSettings({ text, client, directory }: ReadClientSettingsOptions): ImportedSettings {
  if (text.length > maxCharacters) {
    return { servers: [], problems: ['It is too long to be settings.'] };
  }
  const read = readEntries(text, client, directory);
  if (typeof read === 'string') {
    return { servers: [], problems: [read] };
  }
  const converted = [...read].map(([name, entry]) =>
    isOurs(entry)
      ? `${escapeName(name)} is this program itself.`
      : client === 'codex'
        ? convertCodexEntry(name, entry)
        : convertEntry(name, entry, client),
  );
  return {
    servers: converted.filter((one): one is ImportedServer => typeof one !== 'string'),
    problems: converted.filter((one) => typeof one === 'string'),
  };
}

type Entries = ReadonlyMap<string, unknown>;

function readEntries(text: string, client: ImportName, directory: string | null): Entries | string {
  switch (client) {
    case 'codex':
      return readToml(text);
    case 'continue':
      return readYaml(text);
    default:
      return readJson(text, client, directory);
  }
}

function readToml(text: string): Entries | string {
  try {
    const servers = parseToml(text)['mcp_servers'];
    return new Map(isObject(servers) ? Object.entries(servers) : []);
  } catch (error) {
    const line = error instanceof TomlError ? ` Look at line ${error.line}.` : '';
    return `It is not TOML.${line}`;
  }
}

/** Reads a list of servers, each with its name. */
function readYaml(text: string): Entries | string {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    return `It is not YAML. Look at line ${error.linePos?.[0].line ?? 1}.`;
  }
  try {
    const settings: unknown = document.toJS();
    const servers = isObject(settings) ? settings['mcpServers'] : undefined;
    return new Map(
      (Array.isArray(servers) ? servers : []).map((entry: unknown, index) => [nameOf(entry, index), entry]),
    );
  } catch {
    return 'Its aliases make it too large to be settings.';
  }
}

function nameOf(entry: unknown, index: number): string {
  const name = isObject(entry) ? entry['name'] : undefined;
  return typeof name === 'string' ? name : `Server ${index + 1}`;
}

function readJson(text: string, client: ImportName, directory: string | null): Entries | string {
  const errors: ParseError[] = [];
  const root = parseSafely(text, errors);
  if (root === 'too deep') {
    return 'It is nested too deep to be settings.';
  }
  const [error] = errors;
  if (root?.type !== 'object' || error !== undefined) {
    const line = text.slice(0, error?.offset ?? 0).split('\n').length;
    const fault = error === undefined ? 'it has to be an object' : describeJsonFault(error);
    return `It is not JSON. Look at line ${line}: ${fault}.`;
  }
  const paths = pathsOf(client, root);
  // Servers of this directory override the user's general ones.
  const ofDirectory = client === 'claude-code' && directory !== null ? [['projects', directory, 'mcpServers']] : [];
  const found = [...paths.toReversed(), ...ofDirectory].map((path) => nodeAt(root, path));
  const entries = new Map(found.flatMap((node) => [...membersOf(node)]));
  return isGeminiLike(client) ? withExclusions(entries, root) : entries;
}

/** Where a client keeps its servers, the preferred place first. */
function pathsOf(client: ImportName, root: Node): readonly (readonly string[])[] {
  switch (client) {
    case 'vscode':
      return [['servers'], ['mcp', 'servers'], ['mcp.servers'], ['mcpServers']];
    case 'opencode':
      // The second major version keeps them one level deeper.
      return nodeAt(root, ['mcp', 'servers', 'type']) === undefined && nodeAt(root, ['mcp', 'servers']) !== undefined
        ? [['mcp', 'servers']]
        : [['mcp']];
    case 'zed':
      return [['context_servers']];
    default:
      return [['mcpServers']];
  }
}

function parseSafely(text: string, errors: ParseError[]): Node | undefined | 'too deep' {
  try {
    return parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true });
  } catch {
    return 'too deep';
  }
}

/** Servers that the client does not let its user use stay off. */
function withExclusions(entries: Entries, root: Node): Entries {
  const listed = (name: string): readonly unknown[] | null => {
    const node = nodeAt(root, ['mcp', name]);
    const value: unknown = node === undefined ? null : getNodeValue(node);
    return Array.isArray(value) ? value : null;
  };
  const [allowed, excluded] = [listed('allowed'), listed('excluded')];
  const isOff = (name: string) => excluded?.includes(name) === true || allowed?.includes(name) === false;
  return new Map(
    [...entries].map(([name, entry]) => [name, isObject(entry) && isOff(name) ? { ...entry, enabled: false } : entry]),
  );
}

function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, name) => {
    const members = node?.type === 'object' ? (node.children ?? []) : [];
    return members.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1];
  }, root);
}

/** Reads pairs, because names such as `__proto__` have a special meaning in an object. */
function membersOf(node: Node | undefined): readonly (readonly [string, unknown])[] {
  const members = node?.type === 'object' ? (node.children ?? []) : [];
  return members.map(({ children: [key, value] = [] }) => [
    String(key?.value),
    value === undefined ? undefined : getNodeValue(value),
  ]);
}

/** A server that lists itself would call itself endlessly. */
function isOurs(entry: unknown): boolean {
  if (!isObject(entry)) {
    return false;
  }
  const { command, args } = entry;
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string');
  return words.some((word) => /(?:^|[\\/@])gemini-mcp-server(?:-http)?(?:@[^\\/]*)?(?:\.(?:cjs|cmd|exe))?$/.test(word));
}

/** Converts an entry of any client but Codex. Returns a sentence for the user if that fails. */
function convertEntry(name: string, entry: unknown, client: ImportName): ImportedServer | string {
  if (!isObject(entry)) {
    return `${escapeName(name)} is not a server entry.`;
  }
  const common = toCommonEntry(entry, client);
  const draft = new EntryDraft(common, client);
  const isProgram = typeof common['command'] === 'string';
  if (isProgram) {
    draft.text('command');
    draft.texts('args');
    draft.record('env');
    draft.text('cwd');
  } else {
    draft.address();
    draft.record('headers');
  }
  draft.use();
  if (!isProgram && draft.entry['url'] === undefined && draft.entry['httpUrl'] === undefined) {
    return `${escapeName(name)} has neither command nor url.`;
  }
  return { name, entry: draft.entry, remarks: draft.remarks() };
}

/** Converts an entry of `[mcp_servers]` in Codex's config.toml. */
function convertCodexEntry(name: string, entry: unknown): ImportedServer | string {
  if (!isObject(entry)) {
    return `${escapeName(name)} is not a server entry.`;
  }
  const draft = new EntryDraft(entry, 'codex');
  if (typeof entry['command'] === 'string') {
    draft.text('command');
    draft.texts('args');
    draft.record('env');
    draft.put(
      'env',
      namesIn(draft.take('env_vars')).map((variable) => [variable, `\${${variable}}`]),
    );
    draft.text('cwd');
  } else if (typeof entry['url'] === 'string') {
    draft.text('url');
    takeHeaders(draft);
  } else {
    return `${escapeName(name)} has neither command nor url.`;
  }
  takeUse(draft);
  draft.use();
  return { name, entry: draft.entry, remarks: draft.remarks() };
}

function takeHeaders(draft: EntryDraft): void {
  const token = draft.take('bearer_token_env_var');
  const inline = draft.take('bearer_token');
  const headers = draft.take('http_headers');
  const fromVariables = draft.take('env_http_headers');
  draft.put('headers', [
    ...pairsOf(headers).map(([name, value]) => [name, escapeText(value)] as const),
    ...pairsOf(fromVariables).map(([name, variable]) => [name, `\${${variable}}`] as const),
    ...(typeof token === 'string' ? [['Authorization', `Bearer \${${token}}`] as const] : []),
    ...(typeof inline === 'string' ? [['Authorization', `Bearer ${escapeText(inline)}`] as const] : []),
  ]);
}

function takeUse(draft: EntryDraft): void {
  const seconds = draft.take('tool_timeout_sec');
  if (typeof seconds === 'number' && seconds > 0) {
    draft.entry['timeout'] = Math.round(seconds * 1_000);
  }
  draft.take('startup_timeout_sec');
  draft.take('startup_timeout_ms');
  for (const [from, to] of [
    ['enabled_tools', 'includeTools'],
    ['disabled_tools', 'excludeTools'],
  ] as const) {
    const names = draft.take(from);
    if (Array.isArray(names)) {
      draft.entry[to] = names.filter(isPlain).map(String);
    }
  }
  const scopes = draft.take('scopes');
  if (Array.isArray(scopes) && scopes.length > 0) {
    draft.entry['oauth'] = { scopes: scopes.filter(isPlain).map(String) };
  }
}

/** Reads names, or tables with a name. */
function namesIn(value: unknown): readonly string[] {
  const names = (Array.isArray(value) ? value : []).map((one: unknown) => (isObject(one) ? one['name'] : one));
  return names.filter((name) => typeof name === 'string');
}

function pairsOf(value: unknown): readonly (readonly [string, string])[] {
  return isObject(value)
    ? Object.entries(value).flatMap(([name, text]) => (isPlain(text) ? [[name, String(text)] as const] : []))
    : [];
}
