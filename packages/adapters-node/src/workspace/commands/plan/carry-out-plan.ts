import type { CommandPipeline, CommandPlan } from '@gemini-mcp/core';
import { closePipe, type Pipe } from '../running/output-pipes.ts';
import { runStage, type StageOptions } from './run-stage.ts';

export type CarryOutOptions = Omit<StageOptions, 'command' | 'input' | 'output'> & {
  readonly plan: CommandPlan;
  /** One for each place where a command reads another's output. This function closes them. */
  readonly pipes: readonly Pipe[];
  readonly signal: AbortSignal;
};

/** The number of pipes that a plan needs between its commands. */
export function countJoints({ pipelines }: CommandPlan): number {
  return pipelines.reduce((count, { commands }) => count + commands.length - 1, 0);
}

/**
 * Runs the pipelines of a plan in order, as `&&`, `||` and `;` demand. Resolves to the exit code of the last pipeline that ran, which is
 * that of its last command, once all processes are gone. Runs nothing more after an abort. Never rejects.
 */
export async function carryOutPlan(options: CarryOutOptions): Promise<number> {
  const pipes = [...options.pipes];
  let exitCode = 0;
  for (const pipeline of options.plan.pipelines) {
    const own = pipes.splice(0, pipeline.commands.length - 1);
    if (isDue(pipeline, exitCode) && !options.signal.aborted) {
      exitCode = await runPipeline(pipeline, own, options);
    } else {
      own.forEach(closePipe);
    }
  }
  return exitCode;
}

function isDue({ when }: CommandPipeline, exitCode: number): boolean {
  switch (when) {
    case 'always':
      return true;
    case 'after-success':
      return exitCode === 0;
    case 'after-failure':
      return exitCode !== 0;
  }
}

/** Runs all of its commands at once, as a shell does. */
async function runPipeline(
  { commands }: CommandPipeline,
  pipes: readonly Pipe[],
  options: CarryOutOptions,
): Promise<number> {
  const stages = commands.map((command, index) =>
    runStage({
      ...options,
      command,
      input: pipes[index - 1]?.readEnd ?? null,
      output: pipes[index]?.writeEnd ?? null,
    }),
  );
  const exitCodes = await Promise.all(stages);
  return exitCodes.at(-1) ?? 0;
}
