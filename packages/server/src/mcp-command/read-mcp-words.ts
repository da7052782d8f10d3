import { settingFlags, settingValues } from '../command-line/parse-command-line.ts';
import type { Program } from '../command-line/program.ts';
import {
  checkWords,
  commandNamed,
  type Flag,
  type Flags,
  type FlagValues,
  firstOf,
  readWords,
  type Words,
} from '../command-line/read-words.ts';
import { ConfigurationError } from '../settings/setting.ts';

/** The settings that hold a server: the user's, or those of the project in the current directory. */
export type SettingsScope = 'user' | 'project';

/** A terminal command on upstream MCP servers. */
export type McpAction =
  | { readonly action: 'help' }
  | { readonly action: 'list' /** Null for all. */; readonly server: string | null; readonly json: boolean }
  | AddAction
  /** A null scope means the settings that contain the server. */
  | { readonly action: 'remove' | 'enable' | 'disable'; readonly server: string; readonly scope: SettingsScope | null }
  | ApproveAction
  | ImportAction
  | { readonly action: 'login' | 'logout'; readonly server: string };

export type AddAction = {
  readonly action: 'add';
  readonly server: string;
  readonly scope: SettingsScope;
  /** The entry in the format of the settings. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** Whether the entry may replace a server with this name. */
  readonly replaces: boolean;
  /** Sentences on words that the user may have meant differently. */
  readonly remarks: readonly string[];
};

type ApproveAction = {
  readonly action: 'approve';
  readonly what:
    | { readonly type: 'project' }
    | { readonly type: 'tools'; readonly server: string; readonly tools: readonly string[] | 'all' };
  /** The digest of what the user has seen; null if it is only to be shown. */
  readonly confirmed: string | null;
};

export type ImportAction = {
  readonly action: 'import';
  /** The source of settings: a client's usual files, or one file. */
  readonly from: { readonly type: 'client' | 'file'; readonly name: string };
  readonly scope: SettingsScope;
  readonly replaces: boolean;
  /** The digest of what the user has seen; null if it is only to be shown. */
  readonly confirmed: string | null;
};

export type McpCommand = {
  readonly action: McpAction;
  /** Values of settings, by the name of the flag. */
  readonly flags: ReadonlyMap<string, string>;
  /** The principal whose servers are meant; null for the user at the terminal. */
  readonly principal: string | null;
};

type Command = Words & {
  readonly flags: Flags;
  readonly read: (words: readonly string[], flags: FlagValues) => McpAction;
};

const none: Flag = { value: 'none' };
const word: Flag = { value: 'word' };
const texts: Flag = { value: 'text', isList: true };
const scope: Flag = { value: 'word', short: 's' };
const yes: Flag = {
  value: 'word',
  short: 'y',
  missing: 'give the digest that this command prints at its end without --yes',
};

const needs = ['the name of a server is missing. List them: mcp list'];
const anyNumber = Number.POSITIVE_INFINITY;

const change = (action: 'remove' | 'enable' | 'disable'): Command => ({
  needs,
  flags: { scope },
  read: ([server = ''], flags) => ({ action, server, scope: readScope(flags) }),
});

const login = (action: 'login' | 'logout'): Command => ({
  needs,
  flags: { principal: word },
  read: ([server = '']) => ({ action, server }),
});

const commands: Readonly<Record<string, Command>> = {
  list: {
    further: 1,
    flags: { json: none, principal: word },
    read: ([server = null], flags) => ({ action: 'list', server, json: flags.has('json') }),
  },
  /** The flags of `gemini mcp add`, and `--replace`. */
  add: {
    further: anyNumber,
    flags: {
      scope,
      transport: { value: 'word', short: 't' },
      type: word,
      env: { ...texts, short: 'e' },
      header: { ...texts, short: 'H' },
      timeout: word,
      trust: none,
      description: { value: 'text' },
      'include-tools': texts,
      'exclude-tools': texts,
      replace: none,
    },
    read: readAdd,
  },
  remove: change('remove'),
  enable: change('enable'),
  disable: change('disable'),
  login: login('login'),
  logout: login('logout'),
  approve: { further: anyNumber, flags: { project: none, yes, principal: word }, read: readApprove },
  import: { further: 1, flags: { from: { value: 'text' }, scope, yes, replace: none }, read: readImport },
};

/** Parses the words after `mcp`. Throws a `ConfigurationError` with the nearest word for an unknown one. */
export function readMcpWords(given: readonly string[], { settings }: Pick<Program, 'settings'>): McpCommand {
  const [first = 'list', ...others] = given;
  const isFlag = first.startsWith('-');
  const args = isFlag ? given : others;
  // --help among the added program's own arguments belongs to that program.
  if (args[0] === '--help' || args[0] === '-h' || first === 'help') {
    return { action: { action: 'help' }, flags: new Map(), principal: null };
  }
  const name = isFlag ? 'list' : first;
  const command = commandNamed('mcp', name, commands);
  const { words, flags, rest } = readWords(args, {
    flags: { ...settingFlags(settings), ...command.flags },
    command: `mcp ${name}`,
    isOver: (before, flagsBefore) => name === 'add' && isCommand(before, flagsBefore),
  });
  checkWords(`mcp ${name}`, words, command);
  return {
    action: command.read([...words, ...rest], flags),
    flags: settingValues(flags, settings),
    principal: firstOf(flags, 'principal'),
  };
}

/** Whether the remaining arguments belong to the server's program. An address takes no arguments. */
function isCommand([, place]: readonly string[], flags: FlagValues): boolean {
  const transport = firstOf(flags, 'transport') ?? firstOf(flags, 'type');
  return place !== undefined && !/^[a-z][a-z\d+.-]*:\/\//i.test(place) && (transport === null || transport === 'stdio');
}

/** Null if not given. Throws a `ConfigurationError` for any other word. */
function readScope(flags: FlagValues): SettingsScope | null {
  const given = firstOf(flags, 'scope');
  if (given !== null && given !== 'user' && given !== 'project') {
    throw new ConfigurationError(`--scope: ${JSON.stringify(given)} is neither user nor project`);
  }
  return given;
}

function readApprove([server, ...tools]: readonly string[], flags: FlagValues): McpAction {
  const confirmed = firstOf(flags, 'yes');
  if (flags.has('project')) {
    checkWords('mcp approve --project', server === undefined ? [] : [server], {});
    return { action: 'approve', what: { type: 'project' }, confirmed };
  }
  if (server === undefined) {
    throw new ConfigurationError(`mcp approve: ${needs[0]} --project approves the settings of this project.`);
  }
  return { action: 'approve', what: { type: 'tools', server, tools: tools.length === 0 ? 'all' : tools }, confirmed };
}

function readImport(words: readonly string[], flags: FlagValues): McpAction {
  const file = firstOf(flags, 'from');
  checkWords('mcp import', words, {
    needs: file === null ? ['name a client, such as claude-code, or a file by --from.'] : [],
  });
  return {
    action: 'import',
    from: file === null ? { type: 'client', name: words[0] ?? '' } : { type: 'file', name: file },
    scope: readScope(flags) ?? 'user',
    replaces: flags.has('replace'),
    confirmed: firstOf(flags, 'yes'),
  };
}

/** Parses the entry that `mcp add` writes. Throws a `ConfigurationError` if the words do not describe a server. */
function readAdd([server, place, ...others]: readonly string[], flags: FlagValues): AddAction {
  if (server === undefined || place === undefined) {
    throw new ConfigurationError(
      `mcp add: ${server === undefined ? 'a name' : `the command or the address of ${JSON.stringify(server)}`} is missing, such as: mcp add files npx -y @modelcontextprotocol/server-filesystem "$PWD"`,
    );
  }
  if (/\s/.test(server)) {
    throw new ConfigurationError(
      `mcp add: the name ${JSON.stringify(server)} contains spaces. Use a name without spaces, such as ${JSON.stringify(server.trim().replace(/\s+/g, '-'))}.`,
    );
  }
  const transport = readTransport(flags, place);
  // Right after the command, `--` only ends the flags.
  const words = [place, ...(others[0] === '--' ? others.slice(1) : others)];
  return {
    action: 'add',
    server,
    scope: readScope(flags) ?? 'user',
    entry: {
      ...(transport === 'stdio' ? programOf(words, flags) : addressOf(words, transport, flags)),
      ...useOf(flags),
    },
    replaces: flags.has('replace'),
    remarks: transport === 'stdio' ? remarksOn(words) : [],
  };
}

type Transport = 'stdio' | 'http' | 'sse' | 'either';

function readTransport(flags: FlagValues, place: string): Transport {
  const given = firstOf(flags, 'transport') ?? firstOf(flags, 'type');
  const isAddress = /^https?:\/\//i.test(place);
  if (given === null) {
    return isAddress ? 'either' : 'stdio';
  }
  if (given !== 'stdio' && given !== 'http' && given !== 'sse') {
    throw new ConfigurationError(`--transport: ${JSON.stringify(given)} is not stdio, http or sse`);
  }
  if ((given === 'stdio') === isAddress) {
    const wanted = isAddress ? 'an address takes http or sse' : 'an address begins with https:// or http://';
    throw new ConfigurationError(`--transport ${given}: it does not fit ${JSON.stringify(place)}: ${wanted}.`);
  }
  return given;
}

function programOf([command, ...args]: readonly string[], flags: FlagValues): Readonly<Record<string, unknown>> {
  if (command === undefined || command === '') {
    throw new ConfigurationError('mcp add: the command is missing.');
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(command)) {
    throw new ConfigurationError(
      `mcp add: ${JSON.stringify(command)} is not a command. An address begins with https:// or http://.`,
    );
  }
  refuseFor('a command', 'header', flags);
  const env = readEnvironment(flags.get('env') ?? []);
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
  };
}

function addressOf(
  [url = '', surplus]: readonly string[],
  transport: Exclude<Transport, 'stdio'>,
  flags: FlagValues,
): Readonly<Record<string, unknown>> {
  if (surplus !== undefined) {
    throw new ConfigurationError(`${JSON.stringify(surplus)}: unexpected argument after an address`);
  }
  refuseFor('an address', 'env', flags);
  const headers = (flags.get('header') ?? []).map(readHeader);
  return {
    url,
    ...(transport === 'either' ? {} : { type: transport }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  };
}

function refuseFor(what: string, flag: string, flags: FlagValues): void {
  if (flags.has(flag)) {
    throw new ConfigurationError(`--${flag}: not valid for ${what}`);
  }
}

function readEnvironment(values: readonly string[]): readonly (readonly [string, string])[] {
  return values.map((value) => {
    const [, name, text = ''] = /^([^=]*)=(.*)$/s.exec(value) ?? [];
    if (name === undefined) {
      throw new ConfigurationError(
        `--env: give it as NAME=value, or as '${shownName(value)}=$${shownName(value)}' to take it from the environment each time.`,
      );
    }
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw new ConfigurationError(`--env: ${JSON.stringify(name)} is not a valid variable name.`);
    }
    return [name, text];
  });
}

/** Error messages never repeat a value, which may be a secret. */
function shownName(value: string): string {
  return /^[A-Za-z_]\w{0,40}$/.test(value) ? value : 'NAME';
}

function readHeader(value: string): readonly [string, string] {
  const [, name, text = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/s.exec(value) ?? [];
  if (name === undefined) {
    throw new ConfigurationError('--header: give it as "Name: value".');
  }
  if (/[\0\r\n]/.test(text)) {
    throw new ConfigurationError(`--header: the value of ${name} contains a line break, which headers do not allow.`);
  }
  return [name, text.trimEnd()];
}

function useOf(flags: FlagValues): Readonly<Record<string, unknown>> {
  const timeout = firstOf(flags, 'timeout');
  const description = firstOf(flags, 'description');
  const include = readNames(flags, 'include-tools');
  const exclude = readNames(flags, 'exclude-tools');
  return {
    ...(timeout === null ? {} : { timeout: readTimeout(timeout) }),
    ...(flags.has('trust') ? { trust: true } : {}),
    ...(description === null ? {} : { description }),
    ...(include === null ? {} : { includeTools: include }),
    ...(exclude === null ? {} : { excludeTools: exclude }),
  };
}

function readTimeout(text: string): number {
  const timeout = Number(text);
  if (!/^\d+$/.test(text) || timeout < 1 || timeout > 3_600_000) {
    throw new ConfigurationError(
      `--timeout: ${JSON.stringify(text)} is not a whole number of milliseconds from 1 to 3600000`,
    );
  }
  return timeout;
}

function readNames(flags: FlagValues, flag: string): readonly string[] | null {
  const given = flags.get(flag);
  if (given === undefined) {
    return null;
  }
  const names = given.flatMap((value) => value.split(',')).map((name) => name.trim());
  if (names.includes('')) {
    throw new ConfigurationError(`--${flag}: a name is missing between its commas`);
  }
  return [...new Set(names)];
}

/** `gemini mcp add` accepts these flags after the command too, so users may expect that here. */
function remarksOn([, ...args]: readonly string[]): readonly string[] {
  const ours = args.find((arg) =>
    /^(?:--(?:scope|transport|env|header|timeout|trust|description|include-tools|exclude-tools)(?:=.*)?|-[stH])$/s.test(
      arg,
    ),
  );
  return ours === undefined
    ? []
    : [
        `${ours.replace(/=.*/s, '')} comes after the command, so it goes to the program. To set it in the server's entry, put it before the name.`,
      ];
}
