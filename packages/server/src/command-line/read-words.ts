import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearestName } from '@gemini-mcp/core/internal';
import { ConfigurationError } from '../settings/setting.ts';

/** A flag of a command. */
export type Flag = {
  /** `none`: no value. `switch`: a value after `=` only. `word`: a value that does not begin with a dash, unless it comes after `=`. `text`: any value. */
  readonly value: 'none' | 'switch' | 'word' | 'text';
  readonly short?: string;
  /** Whether the flag may be repeated. */
  readonly isList?: boolean;
  /** The message if the value is missing. */
  readonly missing?: string;
};

export type Flags = Readonly<Record<string, Flag>>;

/** All values of each given flag, in order; `1` for a flag without a value. */
export type FlagValues = ReadonlyMap<string, readonly string[]>;

export type ReadWordsOptions = {
  readonly flags: Flags;
  /** The command, such as `mcp add`; null for the program as a whole. */
  readonly command: string | null;
  /** Whether the remaining arguments belong to another program, given the words and flags so far. */
  readonly isOver?: (words: readonly string[], flags: FlagValues) => boolean;
};

export type ReadWords = {
  readonly words: readonly string[];
  readonly flags: FlagValues;
  /** The arguments of the other program, unparsed. */
  readonly rest: readonly string[];
};

/** Parses flags and words in any order; `--` ends the flags. Throws a `ConfigurationError` with the nearest name for an unknown flag. */
export function readWords(args: readonly string[], options: ReadWordsOptions): ReadWords {
  const { isOver = () => false } = options;
  const words: string[] = [];
  const flags = new Map<string, readonly string[]>();
  for (const token of tokensOf(args, options.flags)) {
    if (isOver(words, flags)) {
      return { words, flags, rest: args.slice(token.index) };
    }
    if (token.kind === 'positional') {
      words.push(token.value);
    } else if (token.kind === 'option') {
      takeFlag(token, flags, options);
    }
  }
  return { words, flags, rest: [] };
}

/** Not strict, because Node's own messages cannot name the nearest flag. */
function tokensOf(
  args: readonly string[],
  flags: Flags,
): NonNullable<ReturnType<typeof parseArgs<ParseArgsConfig & { tokens: true }>>['tokens']> {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value, short }]) => {
      const type = value === 'word' || value === 'text' ? ('string' as const) : ('boolean' as const);
      return [name, { type, ...(short === undefined ? {} : { short }) }];
    }),
  );
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

type Given = {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
};

function takeFlag(given: Given, taken: Map<string, readonly string[]>, options: ReadWordsOptions): void {
  const { name } = given;
  const flag = flagOf(given, options);
  const before = taken.get(name) ?? [];
  if (before.length > 0 && flag.isList !== true) {
    throw new ConfigurationError(`--${name}: given more than once`);
  }
  taken.set(name, [...before, readValue(given, flag)]);
}

function flagOf({ name, rawName }: Given, { flags, command }: ReadWordsOptions): Flag {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined) {
    const nearest = rawName.startsWith('--') ? nearestName(name, Object.keys(flags)) : null;
    const [help, owner] = command === null ? ['--help', 'there is'] : ['mcp --help', `${command} has`];
    const meant = nearest === null ? `List the flags: ${help}` : `Did you mean --${nearest}?`;
    throw new ConfigurationError(`${rawName}: ${owner} no such flag. ${meant}`);
  }
  return flag;
}

function readValue({ name, rawName, value, inlineValue }: Given, flag: Flag): string {
  if (flag.value === 'none' && value !== undefined) {
    throw new ConfigurationError(`--${name}: it takes no value`);
  }
  if (value === undefined && ['none', 'switch'].includes(flag.value)) {
    return '1';
  }
  // As in `-s=user`, which other programs accept.
  const read = rawName.startsWith('--') || inlineValue !== true ? value : value?.replace(/^=/, '');
  if (!read || (flag.value === 'word' && inlineValue !== true && read.startsWith('-'))) {
    throw new ConfigurationError(`--${name}: ${flag.missing ?? 'its value is missing'}`);
  }
  return read;
}

/** The positional arguments of a command. */
export type Words = {
  /** The message if a word is missing, for each word in order. */
  readonly needs?: readonly string[];
  /** How many optional words may follow. Defaults to 0. */
  readonly further?: number;
};

/** Throws a `ConfigurationError` if a word of a command is missing or surplus. */
export function checkWords(command: string, words: readonly string[], { needs = [], further = 0 }: Words): void {
  const missing = needs[words.length];
  if (missing !== undefined) {
    throw new ConfigurationError(`${command}: ${missing}`);
  }
  const surplus = words[needs.length + further];
  if (surplus !== undefined) {
    throw new ConfigurationError(`${JSON.stringify(surplus)}: unexpected argument for ${command}`);
  }
}

/** The entry of a command in a group such as `sessions`. Throws a `ConfigurationError` with the nearest name if unknown. */
export function commandNamed<Command>(group: string, name: string, table: Readonly<Record<string, Command>>): Command {
  const command = Object.hasOwn(table, name) ? table[name] : undefined;
  if (command === undefined) {
    const nearest = nearestName(name, Object.keys(table));
    const meant = nearest === null ? `Known commands: ${Object.keys(table).join(', ')}.` : `Did you mean ${nearest}?`;
    throw new ConfigurationError(`${group} ${JSON.stringify(name)}: unknown command. ${meant}`);
  }
  return command;
}

/** The first value of a flag; null if not given. */
export function firstOf(flags: FlagValues, name: string): string | null {
  return flags.get(name)?.[0] ?? null;
}
