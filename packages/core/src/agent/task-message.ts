import type { WorkMode } from '../ports/executor.ts';

const modes: Readonly<Record<WorkMode, string>> = {
  plan: 'You can read the project and change nothing: answer with what you found out, or with a plan of the changes.',
  edit: 'You can read the project and change its files. No commands can be run.',
  full: 'You can read the project, change its files, and run commands in it.',
};

export type TaskMessageOptions = {
  readonly task: string;
  readonly mode: WorkMode;
  /** Why no commands can be run in a mode that has them, in a sentence; null where they can. */
  readonly noCommandsBecause: string | null;
};

/** The message that begins a run with tools. What differs between runs is in it, and not in the system prompt. */
export function taskMessage({ task, mode, noCommandsBecause }: TaskMessageOptions): string {
  const allowed = noCommandsBecause === null ? modes[mode] : `${modes.edit} ${noCommandsBecause}`;
  return `${allowed}\n\nThe task:\n${task}`;
}
