import type { CommandPlan, CommandReading } from '@gemini-mcp/core';
import { parse } from 'unbash';
import { joinedIn, readPlan } from './read-plan.ts';
import { type Read, refuse } from './refuse.ts';
import { unaccountedText } from './unaccounted-text.ts';

/** In UTF-16 code units. */
const maxCharacters = 8_192;

/** Blanks other than spaces, tabs and line ends, what turns a line around or cannot be seen, NUL and halves of a pair. */
const hidden = /[^\P{C}\t\n]|[^\P{Z} ]/u;

/**
 * Reads a command line as Bash would, as far as it can be carried out without a shell: programs with literal words and patterns of
 * `*` and `?`, joined by `&&`, `||`, `;` and `|`, with variables before them and redirections, and `cd directory &&` in front of
 * all. Refuses everything else, with a hint for a model: what is not understood is not run. Never throws.
 */
export function parseCommand(source: string): CommandReading {
  const read = readSource(source);
  return read.ok ? { ok: true, plan: read.value } : read;
}

function readSource(source: string): Read<CommandPlan> {
  if (source.length > maxCharacters) {
    return refuse(
      `the command is longer than ${maxCharacters} characters`,
      'Write a script with put_file, and run that.',
    );
  }
  if (hidden.test(source)) {
    return refuse('there are characters in it that cannot be seen', 'Write it in plain characters.');
  }
  const script = parse(source);
  if (script.errors !== undefined || script.shebang !== undefined || source.endsWith('\\')) {
    return refuse('it is not a complete command line', 'Check its quotes and operators.');
  }
  const joined = joinedIn(script.commands);
  if (!joined.ok) {
    return joined;
  }
  const plan = readPlan(joined.value);
  // The refusals of a plan say more.
  return plan.ok && unaccountedText(source, script) !== ''
    ? refuse('there is a comment in it, or a part that is not understood', 'Leave comments out.')
    : plan;
}
