import { nearestName } from '@gemini-mcp/core/internal';
import { ConfigurationError } from '../../settings/configuration-error.ts';

/** A flag of one command. */
export type FlagForm = {
  readonly short?: string;
  readonly takesValue: boolean;
  /** Whether it may be given more than once. */
  readonly isList?: boolean;
  /** What to say if its value is missing. */
  readonly missing?: string;
};

export type FlagForms = Readonly<Record<string, FlagForm>>;

export type ReadWords = {
  readonly words: readonly string[];
  /** All values of each flag, in order; an empty one for a flag that takes none. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
};

export type ReadWordsOptions = {
  /** The words of the command, such as `mcp add`, for messages. */
  readonly command: string;
  readonly forms: FlagForms;
  /** Whether what comes next belongs to something else than this command, after the words so far. */
  readonly isOver?: (words: readonly string[], flags: ReadonlyMap<string, readonly string[]>) => boolean;
};

/**
 * Reads flags and words in any order; `--` ends the flags. The value of a flag is the next word, whatever that begins with, or what comes
 * after `=`. Throws a `ConfigurationError` for a flag that the command does not have, with the nearest one.
 */
export function readWords(given: readonly string[], options: ReadWordsOptions): ReadWords {
  const { isOver = () => false } = options;
  const left = [...given];
  const words: string[] = [];
  const flags = new Map<string, readonly string[]>();
  while (left.length > 0 && !isOver(words, flags)) {
    const word = left.shift() ?? '';
    if (word === '--') {
      break;
    }
    if (/^-./.test(word)) {
      takeFlag(word, { left, flags, options });
    } else {
      words.push(word);
    }
  }
  return { words: [...words, ...left], flags };
}

type Reading = {
  /** The words after the flag, of which its value is the first. */
  readonly left: string[];
  readonly flags: Map<string, readonly string[]>;
  readonly options: ReadWordsOptions;
};

function takeFlag(word: string, { left, flags, options }: Reading): void {
  const { command, forms } = options;
  const { spelled, value: inline } = spell(word);
  const [name, form] = findForm(spelled, command, forms);
  const before = flags.get(name) ?? [];
  if (before.length > 0 && form.isList !== true) {
    throw new ConfigurationError(`--${name}: ${command} takes it only once`);
  }
  const value = form.takesValue ? (inline ?? left.shift()) : undefined;
  checkValue(name, { form, inline, value });
  flags.set(name, [...before, value ?? '']);
}

type GivenValue = { readonly form: FlagForm; readonly inline: string | null; readonly value: string | undefined };

function checkValue(name: string, { form, inline, value }: GivenValue): void {
  if (!form.takesValue && inline !== null) {
    throw new ConfigurationError(`--${name}: it takes no value`);
  }
  if (form.takesValue && !value) {
    throw new ConfigurationError(`--${name}: ${form.missing ?? 'its value is missing'}`);
  }
}

/** `--name`, `--name=value`, `-n`, `-nvalue`. */
function spell(word: string): { readonly spelled: string; readonly value: string | null } {
  const pattern = word.startsWith('--') ? /^(--[^=]*)(?:=(.*))?$/s : /^(-.)=?(.+)?$/su;
  const [, spelled = word, value = null] = pattern.exec(word) ?? [];
  return { spelled, value };
}

function findForm(spelled: string, command: string, forms: FlagForms): readonly [string, FlagForm] {
  const found = Object.entries(forms).find(([name, { short }]) => spelled === `--${name}` || spelled === `-${short}`);
  if (found === undefined) {
    const nearest = spelled.startsWith('--') ? nearestName(spelled.slice(2), Object.keys(forms)) : null;
    const meant = nearest === null ? 'mcp --help lists those that there are.' : `Did you mean --${nearest}?`;
    throw new ConfigurationError(`${spelled}: ${command} has no such flag. ${meant}`);
  }
  return found;
}
