import type { CommandLimits } from '../command-limits.ts';
import type { ProgramStart } from '../plan/run-stage.ts';
import { boundArguments } from '../running/bound-arguments.ts';
import { gate, type SandboxedProgram, startSandboxed } from '../running/start-sandboxed.ts';
import { bubblewrapArguments } from './bubblewrap-arguments.ts';
import type { FoundSandbox } from './command-sandbox.ts';
import type { SandboxView } from './sandbox-view.ts';

export type StartInSandboxOptions = {
  readonly sandbox: FoundSandbox;
  readonly view: SandboxView;
  readonly limits: CommandLimits;
  readonly environment: Readonly<Record<string, string>>;
  /** Where the program starts: a real path in the view. */
  readonly directory: string;
};

/** Starts a program inside the walls. Never throws. */
export function startInSandbox(options: StartInSandboxOptions, start: ProgramStart): SandboxedProgram {
  const { sandbox, view, limits, environment, directory } = options;
  const { words, assignments, input, output, errors } = start;
  return startSandboxed({
    file: sandbox.bubblewrap,
    systemCallFilter: sandbox.systemCallFilter,
    arguments: [
      ...bubblewrapArguments(view, sandbox),
      ...['--chdir', directory],
      // Set inside: none of them reaches the program that builds the walls.
      ...assignments.flatMap(({ name, value }) => ['--setenv', name, value]),
      '--',
      ...gate,
      ...boundArguments({ prlimit: sandbox.prlimit, limits, countsInside: sandbox.countsInside }),
      ...words,
    ],
    environment,
    input,
    output,
    errors,
  });
}
