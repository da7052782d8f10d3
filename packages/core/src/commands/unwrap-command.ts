import type { CommandWord } from './command-plan.ts';

/** How many words come before the command that a program runs; null where it runs none in a form that is known. */
type Wrapper = (words: readonly string[]) => number | null;

const duration = /^\d+(?:\.\d+)?[smhd]?$/;

const wrappers: Readonly<Record<string, Wrapper>> = {
  nice: ([first, second]) => {
    if (first === '-n') {
      return /^\d+$/.test(second ?? '') ? 3 : null;
    }
    return 1;
  },
  nohup: () => 1,
  timeout: ([first]) => (duration.test(first ?? '') ? 2 : null),
};

/**
 * The command that a program such as `timeout` runs with its other words, however often one runs the next; the words themselves
 * where the first one is no such program, or is used in a form that is not known.
 */
export function unwrapCommand(words: readonly CommandWord[]): readonly CommandWord[] {
  const [program, ...others] = words;
  const isKnown = program?.type === 'literal' && Object.hasOwn(wrappers, program.text);
  const wrapper = isKnown ? wrappers[program.text] : undefined;
  const count = wrapper?.(others.map((word) => (word.type === 'literal' ? word.text : word.source))) ?? null;
  const inner = count === null ? [] : words.slice(count);
  // What begins with a dash is an option of the wrapper, not a program.
  const isCommand = inner[0]?.type === 'literal' && !inner[0].text.startsWith('-');
  return isCommand ? unwrapCommand(inner) : words;
}
