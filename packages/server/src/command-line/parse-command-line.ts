import { didYouMean, nearestName, type UsageGroup, usageGroups } from '@gemini-mcp/core/internal';
import { ConfigurationError, type Setting } from '../settings/setting.ts';
import type { Program } from './program.ts';
import { type ReviewMode, readReviewWords, reviewFlags } from './read-review-words.ts';
import {
  checkWords,
  commandNamed,
  type Flags,
  type FlagValues,
  firstOf,
  type ReadWords,
  readWords,
  type Words,
} from './read-words.ts';

/** The mode of a program, and the values of its flags. */
export type CommandLine = {
  readonly mode: Mode;
  /** Values of settings, by the name of the flag. */
  readonly flags: ReadonlyMap<string, string>;
};

export type Mode =
  | { readonly kind: 'serve' }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'print-config'; readonly client: string; readonly link: boolean }
  | { readonly kind: 'doctor'; readonly json: boolean; readonly call: boolean }
  | LoginMode
  | SetupMode
  | SessionsMode
  | ApprovalsMode
  | UsageMode
  | ReviewMode
  /** The arguments after `mcp`, unparsed: a server start must not load their parser. */
  | { readonly kind: 'mcp'; readonly words: readonly string[] };

/** A terminal command on the stored key for Google. */
export type LoginMode = { readonly kind: 'login' } & (
  | {
      readonly action: 'login';
      /** Null for the usual place of the system. */
      readonly store: 'file' | 'keychain' | null;
    }
  | { readonly action: 'logout' | 'status' }
);

/** The terminal command that writes this server into the settings of clients. */
export type SetupMode = {
  readonly kind: 'setup';
  /** Names of clients; empty for all that are found. */
  readonly clients: readonly string[];
  readonly isDryRun: boolean;
  readonly undo: boolean;
  /** Whether an entry of someone else is replaced. */
  readonly replaces: boolean;
};

/** A terminal command on stored conversations. */
export type SessionsMode = {
  readonly kind: 'sessions';
  /** A prefix of an owner; null for the conversations of all owners. */
  readonly owner: string | null;
  readonly json: boolean;
} & ({ readonly action: 'list' } | { readonly action: 'show' | 'export' | 'delete'; readonly id: string });

/** A terminal command on permanent approvals. */
export type ApprovalsMode = { readonly kind: 'approvals' } & (
  | { readonly action: 'list'; readonly json: boolean }
  | { readonly action: 'revoke'; readonly id: string }
  /** `words` is a command prefix. */
  | { readonly action: 'allow'; readonly words: readonly string[]; readonly network: boolean }
  | { readonly action: 'allow-tool'; readonly server: string; readonly tool: string }
);

/** A terminal command on what calls have used. */
export type UsageMode = {
  readonly kind: 'usage';
  readonly by: UsageGroup;
  /** A day of UTC as `YYYY-MM-DD`, or a number of days up to today; null for the current month. */
  readonly since: { readonly day: string } | { readonly days: number } | null;
  readonly json: boolean;
  /** The path of a file with other prices. */
  readonly pricesFile: string | null;
};

type Command = Words & {
  readonly flags?: readonly string[];
  readonly read: (words: readonly string[], flags: FlagValues) => Mode;
};

const ofSession: Words & Pick<Command, 'flags'> = {
  needs: ['the id of a conversation is missing. List them: sessions list'],
  flags: ['json', 'owner'],
};

const oneSession =
  (action: 'show' | 'export' | 'delete'): Command['read'] =>
  ([id = ''], flags) => ({ ...sessionsMode(flags), action, id });

const sessionsMode = (flags: FlagValues) =>
  ({ kind: 'sessions', owner: firstOf(flags, 'owner'), json: flags.has('json') }) as const;

/** The commands of each group, by the word after it. A group with a single command has no such word. */
const commands: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  doctor: {
    '': {
      flags: ['json', 'no-call'],
      read: (_, flags) => ({ kind: 'doctor', json: flags.has('json'), call: !flags.has('no-call') }),
    },
  },
  login: {
    '': { further: Number.POSITIVE_INFINITY, flags: ['status', 'store'], read: readLogin },
  },
  setup: {
    '': {
      further: Number.POSITIVE_INFINITY,
      flags: ['dry-run', 'undo', 'replace'],
      read: (clients, flags) => ({
        ...{ kind: 'setup', clients, isDryRun: flags.has('dry-run') },
        ...{ undo: flags.has('undo'), replaces: flags.has('replace') },
      }),
    },
  },
  logout: { '': { read: () => ({ kind: 'login', action: 'logout' }) } },
  sessions: {
    list: { flags: ['json', 'owner'], read: (_, flags) => ({ ...sessionsMode(flags), action: 'list' }) },
    show: { ...ofSession, read: oneSession('show') },
    export: { ...ofSession, read: oneSession('export') },
    delete: { ...ofSession, read: oneSession('delete') },
  },
  review: { '': { flags: reviewFlags, read: readReviewWords } },
  usage: { '': { flags: ['by', 'since', 'json', 'prices'], read: readUsage } },
  approvals: {
    list: {
      flags: ['json'],
      read: (_, flags) => ({ kind: 'approvals', action: 'list', json: flags.has('json') }),
    },
    revoke: {
      needs: ['the id of an approval is missing. List them: approvals list'],
      read: ([id = '']) => ({ kind: 'approvals', action: 'revoke', id }),
    },
    allow: {
      needs: ['the first words of a command are missing, such as npm install. List the approvals: approvals list'],
      further: Number.POSITIVE_INFINITY,
      flags: ['network'],
      read: (words, flags) => ({ kind: 'approvals', action: 'allow', words, network: flags.has('network') }),
    },
    'allow-tool': {
      needs: [
        'the names of a server and of its tool are missing. List the approvals: approvals list',
        'the name of the tool is missing after the name of its server. List the approvals: approvals list',
      ],
      read: ([server = '', tool = '']) => ({ kind: 'approvals', action: 'allow-tool', server, tool }),
    },
  },
};

function readLogin(words: readonly string[], flags: FlagValues): Mode {
  // The words may be a key, which no message repeats.
  if (words.length > 0) {
    throw new ConfigurationError(
      'login: it takes no key as an argument, because other users and your shell could keep it. Type it when asked, or pipe it in.',
    );
  }
  const given = firstOf(flags, 'store');
  const store = given === null || given === 'file' || given === 'keychain' ? given : undefined;
  if (store === undefined || (flags.has('status') && store !== null)) {
    throw new ConfigurationError('--store: it takes file or keychain, and not with --status');
  }
  return flags.has('status') ? { kind: 'login', action: 'status' } : { kind: 'login', action: 'login', store };
}

function readUsage(_: readonly string[], flags: FlagValues): UsageMode {
  const by = firstOf(flags, 'by') ?? 'model';
  const group = usageGroups.find((each) => each === by);
  if (group === undefined) {
    throw new ConfigurationError(
      `--by: ${JSON.stringify(by)} is unknown.${didYouMean(by, usageGroups)} Choose from ${usageGroups.join(', ')}.`,
    );
  }
  const since = firstOf(flags, 'since');
  return {
    kind: 'usage',
    by: group,
    since: since === null ? null : readSince(since),
    json: flags.has('json'),
    pricesFile: firstOf(flags, 'prices'),
  };
}

function readSince(text: string): NonNullable<UsageMode['since']> {
  const days = /^([1-9]\d{0,3})d$/.exec(text)?.[1];
  if (days !== undefined) {
    return { days: Number(days) };
  }
  // Date.parse takes the 31st of February for the 3rd of March.
  const atMs = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== text) {
    throw new ConfigurationError(`--since: ${JSON.stringify(text)} is no day. Give one such as 2026-11-01, or 30d.`);
  }
  return { day: text };
}

const groups: readonly string[] = [...Object.keys(commands), 'mcp'];

const modeFlags: Flags = {
  help: { value: 'none', short: 'h' },
  version: { value: 'none', short: 'v' },
  'print-config': { value: 'word' },
  link: { value: 'none' },
  json: { value: 'none' },
  'no-call': { value: 'none' },
  owner: { value: 'word' },
  network: { value: 'none' },
  status: { value: 'none' },
  store: { value: 'word' },
  'dry-run': { value: 'none' },
  undo: { value: 'none' },
  replace: { value: 'none' },
  by: { value: 'word' },
  since: { value: 'word' },
  prices: { value: 'word' },
  change: { value: 'text' },
  format: { value: 'word' },
  severity: { value: 'word' },
  'fail-on': { value: 'word' },
  focus: { value: 'text' },
  model: { value: 'word' },
  baseline: { value: 'word' },
  'max-cost': { value: 'word' },
  post: { value: 'none' },
};

/** Parses the arguments of a program. Throws a `ConfigurationError` with the nearest name for an unknown word or flag. */
export function parseCommandLine(
  args: readonly string[],
  { settings, clients }: Pick<Program, 'settings' | 'clients'>,
): CommandLine {
  const isMcp = ([group]: readonly string[], flags: FlagValues): boolean =>
    group === 'mcp' && ![...flags.keys()].some((name) => Object.hasOwn(modeFlags, name));
  const read = readWords(args, {
    flags: { ...settingFlags(settings), ...modeFlags },
    command: null,
    isOver: isMcp,
  });
  const flags = settingValues(read.flags, settings);
  return isMcp(read.words, read.flags)
    ? { mode: { kind: 'mcp', words: read.rest }, flags }
    : { mode: selectMode(read, clients, settingFlags(settings)), flags };
}

/** The flags of settings. */
export function settingFlags(settings: readonly Setting[]): Flags {
  return Object.fromEntries(
    settings.flatMap(({ flag, placeholder, separator }) =>
      flag === null ? [] : [[flag, { value: placeholder === null ? 'switch' : 'word', isList: separator !== null }]],
    ),
  );
}

/** The values of settings, by the name of the flag. The values of a repeated flag are joined into one text. */
export function settingValues(flags: FlagValues, settings: readonly Setting[]): ReadonlyMap<string, string> {
  const separators = new Map(settings.map(({ flag, separator }) => [flag, separator ?? '']));
  return new Map(
    [...flags].flatMap(([name, values]) => {
      const separator = separators.get(name);
      return separator === undefined ? [] : [[name, values.join(separator)]];
    }),
  );
}

function selectMode(
  { words: [group, ...further], flags }: ReadWords,
  clients: readonly string[],
  ofSettings: Flags,
): Mode {
  if (group === 'help') {
    return { kind: 'help' };
  }
  refuseWord(group);
  if (flags.has('help')) {
    return { kind: 'help' };
  }
  if (flags.has('version')) {
    return { kind: 'version' };
  }
  const client = firstOf(flags, 'print-config');
  if (client !== null) {
    return { kind: 'print-config', client: knownClient(client, clients), link: flags.has('link') };
  }
  if (flags.has('link')) {
    throw new ConfigurationError('--link: it goes with --print-config <client>');
  }
  refuseForeignFlags(group, flags, Object.keys(ofSettings));
  return group === undefined ? { kind: 'serve' } : readCommand(group, further, flags);
}

function readCommand(group: string, further: readonly string[], flags: FlagValues): Mode {
  const ofGroup = commands[group] ?? {};
  const [usual = ''] = Object.keys(ofGroup);
  const [action = usual, ...words] = usual === '' ? ['', ...further] : further;
  const command = commandNamed(group, action, ofGroup);
  const name = action === '' ? group : `${group} ${action}`;
  const foreign = Object.keys(modeFlags).find((flag) => flags.has(flag) && command.flags?.includes(flag) !== true);
  if (foreign !== undefined) {
    throw new ConfigurationError(`--${foreign}: ${name} does not take it`);
  }
  checkWords(name, words, command);
  return command.read(words, flags);
}

function refuseForeignFlags(group: string | undefined, flags: FlagValues, ofSettings: readonly string[]): void {
  for (const flag of Object.keys(modeFlags).filter((name) => flags.has(name))) {
    const owners = Object.keys(commands).filter((each) =>
      Object.values(commands[each] ?? {}).some((command) => command.flags?.includes(flag)),
    );
    if (!owners.includes(group ?? '')) {
      const list = owners.join(', ').replace(/, ([^,]*)$/, ' and $1');
      const nearest = nearestName(flag, ofSettings);
      const meant = nearest === null ? '' : `. Did you mean --${nearest}?`;
      throw new ConfigurationError(
        `--${flag}: it belongs to the ${owners.length === 1 ? 'command' : 'commands'} ${list}${meant}`,
      );
    }
  }
}

function knownClient(given: string, clients: readonly string[]): string {
  if (!clients.includes(given)) {
    throw new ConfigurationError(
      `--print-config: ${JSON.stringify(given)} is not a known client.${didYouMean(given, clients)} There are ${clients.join(', ')}.`,
    );
  }
  return given;
}

function refuseWord(word: string | undefined): void {
  if (word !== undefined && !groups.includes(word)) {
    const meant = didYouMean(word, groups) || ' List the commands: --help';
    throw new ConfigurationError(`${JSON.stringify(word)}: unknown command.${meant}`);
  }
}
