import { closeSync, openSync } from 'node:fs';
import type { CommandPlan } from '@gemini-mcp/core';
import type { CommandLimits } from './command-limits.ts';
import { carryOutPlan } from './plan/carry-out-plan.ts';
import type { RunPlaces } from './plan/command-place.ts';
import type { ProgramStart } from './plan/run-stage.ts';
import { closePipe, type Pipe } from './running/output-pipes.ts';
import { readOutput } from './running/read-output.ts';
import type { RunningCommand } from './running/running-command.ts';
import type { SandboxedProgram } from './running/start-sandboxed.ts';
import { watchLimits } from './running/watch-limits.ts';

export type RunCommandOptions = {
  readonly plan: CommandPlan;
  readonly places: RunPlaces;
  /** The real path of the directory of the plan. */
  readonly directory: string;
  /** Paths as they are shown, which the user allowed to write. */
  readonly consented: ReadonlySet<string>;
  /** As in `ExpandWordOptions`. */
  readonly heldPaths: ReadonlySet<string>;
  /** The first one for what is shown, the others for the plan. They are closed here. */
  readonly pipes: readonly [Pipe, ...Pipe[]];
  /** As in `StageOptions`. */
  readonly start: (start: ProgramStart) => Promise<SandboxedProgram>;
  readonly limits: CommandLimits;
  /** Takes back what was done for the command; called once, when nothing of it is left. Never rejects. */
  readonly release: () => Promise<void>;
  /** Directories on whose disks it may write. */
  readonly disks: readonly string[];
};

const faultExitCode = 126;

/** Runs a command to its end, after which nothing of it is left. Never rejects. */
export async function runCommand(command: RunningCommand, options: RunCommandOptions): Promise<void> {
  const programs = new Map<number, SandboxedProgram>();
  const unwatch = watchLimits({
    command,
    limits: options.limits,
    tops: () => new Set(programs.keys()),
    directories: options.disks,
  });
  const killAll = (): void => {
    for (const program of programs.values()) {
      program.kill();
    }
  };
  command.stopping.addEventListener('abort', killAll, { once: true });
  let exitCode = faultExitCode;
  try {
    exitCode = await carryOut(command, options, async (start) =>
      keepTrack(await options.start(start), programs, command),
    );
  } catch (error) {
    command.print(Buffer.from(`The command could not be run: ${error instanceof Error ? error.message : ''}\n`));
  } finally {
    unwatch();
    await options.release();
    command.finish(exitCode);
  }
}

/** Rejects only where the system has no descriptor left. */
async function carryOut(
  command: RunningCommand,
  { plan, places, directory, consented, heldPaths, pipes }: RunCommandOptions,
  start: RunCommandOptions['start'],
): Promise<number> {
  const [shown, ...joints] = pipes;
  let nothing: number;
  try {
    nothing = openSync('/dev/null', 'r+');
  } catch (error) {
    pipes.forEach(closePipe);
    throw error;
  }
  const reader = readOutput(shown.readEnd, (chunk) => command.print(chunk));
  const exitCode = await carryOutPlan({
    ...{ plan, places, directory, consented, heldPaths, start, nothing },
    pipes: joints,
    shown: shown.writeEnd,
    signal: command.stopping,
    say: (text) => command.print(Buffer.from(text)),
  });
  closeSync(shown.writeEnd);
  closeSync(nothing);
  await reader.finish();
  return exitCode;
}

function keepTrack(
  program: SandboxedProgram,
  programs: Map<number, SandboxedProgram>,
  command: RunningCommand,
): SandboxedProgram {
  const { pid } = program;
  if (pid !== null) {
    programs.set(pid, program);
    void program.ended.then(() => programs.delete(pid));
  }
  if (command.stopping.aborted) {
    program.kill();
  }
  return program;
}
