import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { escapeName } from '@gemini-mcp/core/internal';

export type PlacesOfEntry = {
  /** Where a server without a directory of its own is started. */
  readonly startDirectory: string;
  /** Where the user has typed its command. */
  readonly currentDirectory: string;
};

/** What of a server's command means another place than the user may think, or none: sentences. */
export function remarkOnPlaces(
  { command, args, cwd }: Readonly<Record<string, unknown>>,
  { startDirectory, currentDirectory }: PlacesOfEntry,
): readonly string[] {
  const remarks: string[] = [];
  if (typeof command === 'string' && /[/\\]/.test(command) && !isAbsolute(command) && !command.includes('$')) {
    remarks.push(
      `A command is a name or an absolute path: ${escapeName(command)} cannot be started. Give ${escapeName(resolve(currentDirectory, command))}, or https:// before an address.`,
    );
  }
  const words = Array.isArray(args) && cwd === undefined && startDirectory !== currentDirectory ? args : [];
  const relative = words.filter((word) => typeof word === 'string' && isRelative(word, currentDirectory));
  if (relative.length > 0) {
    const [first = ''] = relative.map(String);
    const shown = relative.map((word) => `"${escapeName(String(word))}"`).join(', ');
    remarks.push(
      `The server starts in ${escapeName(startDirectory)}, not here: ${shown} would mean another place. Use whole paths, such as ${escapeName(resolve(currentDirectory, first))}.`,
    );
  }
  return remarks;
}

function isRelative(word: string, currentDirectory: string): boolean {
  if (word.startsWith('-') || isAbsolute(word) || word === '') {
    return false;
  }
  return /^\.{1,2}(?:[/\\]|$)/.test(word) || existsSync(resolve(currentDirectory, word));
}
