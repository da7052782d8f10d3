import type { CommandReport, StepResult } from '@gemini-mcp/core';
import type { ExecutorMutant } from './executor-mutant.ts';

const changed = async (
  result: Promise<StepResult<CommandReport>>,
  change: (report: CommandReport) => CommandReport,
): Promise<StepResult<CommandReport>> => {
  const whole = await result;
  return whole.ok ? { ok: true, value: change(whole.value) } : whole;
};

const handles = new Map<string, (stop: boolean) => Promise<StepResult<CommandReport>>>();
const signal = new AbortController().signal;

/** Executors that run or report commands wrongly. */
export const executorCommandsMutants: readonly ExecutorMutant[] = [
  {
    name: 'command-handle-kept',
    wrong: 'returns a handle for a command that has ended',
    mutateWorkspace: (right) => ({
      runCommand: (request, aborted) =>
        changed(right.runCommand(request, aborted), (report) => ({ ...report, handle: 'kept' })),
    }),
  },
  {
    name: 'command-not-stopped',
    wrong: 'does not stop a command',
    mutateWorkspace: (right) => ({
      pollCommand: ({ handle, waitMs }, aborted) => right.pollCommand({ handle, waitMs, stop: false }, aborted),
    }),
  },
  {
    name: 'command-in-edit',
    wrong: 'runs commands in the mode `edit`',
    mutate: (right) => ({
      open: (options, aborted) =>
        right.open({ ...options, mode: options.mode === 'edit' ? 'full' : options.mode }, aborted),
    }),
  },
  {
    name: 'command-of-others',
    wrong: 'lets a run stop the command of another',
    mutateWorkspace: (right) => ({
      runCommand: (request, aborted) =>
        changed(right.runCommand(request, aborted), (report) => {
          const { handle } = report;
          if (handle !== null) {
            handles.set(handle, (stop) => right.pollCommand({ handle, waitMs: 1, stop }, signal));
          }
          return report;
        }),
      pollCommand: (request, aborted) =>
        handles.get(request.handle)?.(request.stop) ?? right.pollCommand(request, aborted),
    }),
  },
  {
    name: 'command-after-abort',
    wrong: 'runs a command whose call was aborted before',
    mutateWorkspace: (right) => ({ runCommand: (request) => right.runCommand(request, signal) }),
  },
];
