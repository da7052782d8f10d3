import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearestName } from '@gemini-mcp/core/internal';
import { ConfigurationError } from '../settings/setting.ts';

/** A flag of a command. */
export type Flag = {
  /** `none`: it takes no value. `switch`: one after `=` only. `word`: one that does not begin with a dash, unless it comes after `=`. `text`: any. */
  readonly value: 'none' | 'switch' | 'word' | 'text';
  readonly short?: string;
  /** Whether it may be given more than once. */
  readonly isList?: boolean;
  /** What to say if its value is missing. */
  readonly missing?: string;
};

export type Flags = Readonly<Record<string, Flag>>;

/** All values of each flag that was given, in order; `1` for a flag without a value. */
export type FlagValues = ReadonlyMap<string, readonly string[]>;

export type ReadWordsOptions = {
  readonly flags: Flags;
  /** The command, such as `mcp add`; null for the program as a whole. */
  readonly command: string | null;
  /** Whether what comes next belongs to something else, after the words and flags so far. */
  readonly isOver?: (words: readonly string[], flags: FlagValues) => boolean;
};

export type ReadWords = {
  readonly words: readonly string[];
  readonly flags: FlagValues;
  /** The arguments that belong to something else, as they were given. */
  readonly rest: readonly string[];
};

/** Reads flags and words in any order; `--` ends the flags. Throws a `ConfigurationError` for an unknown flag, with the nearest name. */
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

/** Not strict: the messages would be those of Node, and could not name the nearest flag. */
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
    throw new ConfigurationError(`--${name}: it is given more than once`);
  }
  taken.set(name, [...before, readValue(given, flag)]);
}

function flagOf({ name, rawName }: Given, { flags, command }: ReadWordsOptions): Flag {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined) {
    const nearest = rawName.startsWith('--') ? nearestName(name, Object.keys(flags)) : null;
    const [help, owner] = command === null ? ['--help', 'there is'] : ['mcp --help', `${command} has`];
    const meant = nearest === null ? `${help} lists those that there are.` : `Did you mean --${nearest}?`;
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
  // As in `-s=user`, which other programs take.
  const read = rawName.startsWith('--') || inlineValue !== true ? value : value?.replace(/^=/, '');
  if (!read || (flag.value === 'word' && inlineValue !== true && read.startsWith('-'))) {
    throw new ConfigurationError(`--${name}: ${flag.missing ?? 'its value is missing'}`);
  }
  return read;
}

/** The words that a command takes. */
export type Words = {
  /** What to say if a word is missing, for each word in order. */
  readonly needs?: readonly string[];
  /** How many more it takes; none if missing. */
  readonly further?: number;
};

/** Throws a `ConfigurationError` if a word of a command is missing, or there are too many. */
export function checkWords(command: string, words: readonly string[], { needs = [], further = 0 }: Words): void {
  const missing = needs[words.length];
  if (missing !== undefined) {
    throw new ConfigurationError(`${command}: ${missing}`);
  }
  const surplus = words[needs.length + further];
  if (surplus !== undefined) {
    throw new ConfigurationError(`${JSON.stringify(surplus)}: ${command} takes no further word here`);
  }
}

/** The entry of a command of a group, such as `sessions`. Throws a `ConfigurationError` for any other, with the nearest name. */
export function commandNamed<Command>(group: string, name: string, table: Readonly<Record<string, Command>>): Command {
  const command = Object.hasOwn(table, name) ? table[name] : undefined;
  if (command === undefined) {
    const nearest = nearestName(name, Object.keys(table));
    const meant = nearest === null ? `There are ${Object.keys(table).join(', ')}.` : `Did you mean ${nearest}?`;
    throw new ConfigurationError(`${group} ${JSON.stringify(name)}: there is no such command. ${meant}`);
  }
  return command;
}

/** The first value of a flag; null if it is not given. */
export function firstOf(flags: FlagValues, name: string): string | null {
  return flags.get(name)?.[0] ?? null;
}
