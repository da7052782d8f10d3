import { digestOf } from '../hub/digest-of.ts';

/**
 * Stands for what a command shows and would do. The author of what is shown may choose two versions of it: with fewer digits, a pair with the same
 * digest would be found within minutes.
 */
const digits = 32;

/** Names what a command has shown, for `--yes`, which does that and nothing else. */
export function digestOfShown(shown: unknown): string {
  return digestOf(JSON.stringify(shown)).slice(0, digits);
}

/** Asks for `--yes` with the digest of what is shown; `done` is such as `approved`. */
export function askForYes(digest: string, confirmed: string | null, verb: string): string {
  const why = confirmed === null ? '' : 'What is shown now is not what you have confirmed. ';
  return `${why}Nothing is ${verb} yet. If you want just what is shown, say so by the same command with --yes ${digest}`;
}
