import type { Clock, WorkLog, Workspace } from '@gemini-mcp/core';
import * as z from 'zod';
import type { ProjectTool } from '../project-tool.ts';
import { describeReport } from './describe-report.ts';

export type PollCommandToolOptions = {
  readonly workspace: Pick<Workspace, 'pollCommand'>;
  readonly log: Pick<WorkLog, 'reported' | 'commandOf'>;
  readonly clock: Clock;
};

const defaultSeconds = 60;
const maxSeconds = 300;
const marginMs = 1_000;

/** Makes the tool that asks how a command goes on. */
export function createPollCommandTool({ workspace, log, clock }: PollCommandToolOptions): ProjectTool {
  const input = z.strictObject({
    handle: z.string().min(1).max(100).describe('As run_command returned it.'),
    wait: z.int().min(0).max(maxSeconds).default(defaultSeconds).describe('Seconds to wait for its end.'),
    stop: z.boolean().default(false).describe('Whether to stop it.'),
  });
  const tool: ProjectTool<typeof input> = {
    name: 'poll_command',
    description: 'Waits for a command that still runs, and shows its output since the last call; or stops it.',
    input,
    changes: false,
    takesLong: true,
    subjectOf: ({ handle }) => log.commandOf(handle) ?? handle,
    run: async ({ handle, wait, stop }, { deadlineAtMs }, signal) => {
      const command = log.commandOf(handle) ?? '';
      const waitMs = Math.max(0, Math.min(wait * 1_000, deadlineAtMs - clock.now() - marginMs));
      const polled = await workspace.pollCommand({ handle, waitMs, stop }, signal);
      if (!polled.ok) {
        return polled;
      }
      log.reported(command, polled.value, handle);
      return describeReport(polled.value);
    },
  };
  return tool;
}
