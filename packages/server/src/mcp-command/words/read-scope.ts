import { ConfigurationError } from '../../settings/configuration-error.ts';
import type { Scope } from './mcp-action.ts';
import type { FlagForm, ReadWords } from './word-reader.ts';

export const scopeForm: FlagForm = { short: 's', takesValue: true };

/** Null where none is given. Throws a `ConfigurationError` for any other word. */
export function readScope(flags: ReadWords['flags']): Scope | null {
  const scope = firstOf(flags, 'scope');
  if (scope !== null && scope !== 'user' && scope !== 'project') {
    throw new ConfigurationError(`--scope: ${JSON.stringify(scope)} is neither user nor project`);
  }
  return scope;
}

/** The first value of a flag; null where it is not given. */
export function firstOf(flags: ReadWords['flags'], name: string): string | null {
  return flags.get(name)?.[0] ?? null;
}

/** The one word of a command. Throws a `ConfigurationError` where there is none, or another. */
export function onlyWord(command: string, { words }: ReadWords, missing: string): string {
  const [word, surplus] = words;
  if (word === undefined) {
    throw new ConfigurationError(`${command}: ${missing}`);
  }
  if (surplus !== undefined) {
    throw new ConfigurationError(`${JSON.stringify(surplus)}: ${command} takes no further word here`);
  }
  return word;
}
