import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearestName } from '@gemini-mcp/core/internal';
import type { Program } from '../program/program.ts';
import { ConfigurationError } from '../settings/configuration-error.ts';
import type { CommandLine } from './command-line.ts';
import { type FlagKind, flagKinds } from './flag-kinds.ts';
import { selectMode } from './select-mode.ts';

/** One flag as it was given: `--name`, `--name=value` or `--name value`. */
type Given = {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
};

/** Reads the arguments of a program. Throws a `ConfigurationError` for an unknown word or flag, with the nearest name. */
export function parseCommandLine(args: readonly string[], program: Pick<Program, 'settings' | 'clients'>): CommandLine {
  const kinds = flagKinds(program.settings);
  const words: string[] = [];
  const flags = new Map<string, string>();
  const modeFlags = new Map<string, string>();
  for (const token of tokensOf(args, kinds)) {
    if (token.kind === 'option') {
      takeFlag(token, kindOf(token, kinds), { setting: flags, mode: modeFlags });
    } else if (token.kind === 'positional') {
      words.push(token.value);
    }
    // The rest is read late.
    if (words[0] === 'mcp' && modeFlags.size === 0) {
      return { mode: { kind: 'mcp', words: args.slice(token.index + 1) }, flags };
    }
  }
  return { mode: selectMode(words, modeFlags, program.clients), flags };
}

function takeFlag(given: Given, kind: FlagKind, flags: Record<FlagKind['sets'], Map<string, string>>): void {
  const target = flags[kind.sets];
  target.set(given.name, combine(target.get(given.name), given, kind));
}

/** Not strict: the messages would be those of Node, and could not name the nearest flag. */
function tokensOf(
  args: readonly string[],
  kinds: ReadonlyMap<string, FlagKind>,
): NonNullable<ReturnType<typeof parseArgs<ParseArgsConfig & { tokens: true }>>['tokens']> {
  const options = Object.fromEntries(
    [...kinds].map(([name, { takesValue, short }]) => [
      name,
      { type: takesValue ? ('string' as const) : ('boolean' as const), ...(short === null ? {} : { short }) },
    ]),
  );
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function kindOf({ name, rawName }: Given, kinds: ReadonlyMap<string, FlagKind>): FlagKind {
  const kind = kinds.get(name);
  if (kind === undefined) {
    throw new ConfigurationError(`${rawName}: ${whyUnknown(name, [...kinds.keys()])}`);
  }
  return kind;
}

function whyUnknown(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const meant = nearest === null ? '--help lists those that there are.' : `Did you mean --${nearest}?`;
  return `there is no such flag. ${meant}`;
}

function combine(previous: string | undefined, given: Given, kind: FlagKind): string {
  const value = readValue(given, kind);
  if (previous === undefined) {
    return value;
  }
  if (kind.separator === null) {
    throw new ConfigurationError(`${given.rawName}: it is given more than once`);
  }
  return previous + kind.separator + value;
}

function readValue({ rawName, value, inlineValue }: Given, { takesValue, sets }: FlagKind): string {
  if (!takesValue) {
    if (value !== undefined && sets === 'mode') {
      throw new ConfigurationError(`${rawName}: it takes no value`);
    }
    if (value === '') {
      throw new ConfigurationError(`${rawName}: its value is missing`);
    }
    return value ?? '1';
  }
  const looksLikeFlag = inlineValue !== true && value?.startsWith('-') === true;
  if (!value || looksLikeFlag) {
    throw new ConfigurationError(`${rawName}: its value is missing`);
  }
  return value;
}
