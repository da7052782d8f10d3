import type { CommandPlan, CommandReport, Workspace } from '@gemini-mcp/core';
import { describe, expect } from 'vitest';
import { doneBy, type ExecutorSubject, never, refusalBy } from './executor-harness.ts';

/** A command that prints on both streams and ends with 3: every system with commands has `sh`. */
const printingPlan: CommandPlan = shellPlan('printf hello; printf " there" >&2; exit 3');

/** A command that runs until it is stopped. */
export const lastingPlan: CommandPlan = shellPlan('sleep 3600');

function shellPlan(script: string): CommandPlan {
  const words = ['sh', '-c', script].map((text) => ({ type: 'literal', text }) as const);
  const [program = { type: 'literal', text: 'sh' } as const, ...others] = words;
  const command = { assignments: [], words: [program, ...others], redirections: [] } as const;
  return { directory: null, pipelines: [{ when: 'always', commands: [command] }] };
}

/** Commands: their reports and ends, and when they are refused. */
export function describeExecutorCommands({ proof, open, features }: ExecutorSubject): void {
  if (!features.commands) {
    return;
  }
  const run = async (workspace: Workspace, plan: CommandPlan, waitMs: number): Promise<CommandReport> => {
    await workspace.prepareCommands(never);
    return doneBy(await workspace.runCommand({ plan, timeoutMs: 60_000, waitMs }, never));
  };
  const begin = async (workspace: Workspace): Promise<string> => {
    const report = await run(workspace, lastingPlan, 1);
    expect(report).toMatchObject({ handle: expect.any(String), end: null });
    return report.handle ?? '';
  };

  describe('commands', () => {
    proof.promise('no command runs without a sandbox', async () => {
      const { executor } = await open({});
      expect(await executor.sandbox(never)).toMatchObject({ available: true });
      expect(await executor.sandbox(never)).toEqual(await executor.sandbox(never));
    });

    proof.promise('a command that has ended is reported whole: both streams, the exit code, no handle', async () => {
      const { workspace } = await open({}, { mode: 'full' });
      expect(await run(workspace, printingPlan, 30_000)).toMatchObject({
        handle: null,
        end: { type: 'exited', exitCode: 3 },
        output: 'hello there',
        outputBytes: 11,
      });
    });

    proof.promise('a running command has a handle, and ends when it is stopped', async () => {
      const { workspace } = await open({}, { mode: 'full' });
      const handle = await begin(workspace);
      const stopped = doneBy(await workspace.pollCommand({ handle, waitMs: 30_000, stop: true }, never));
      expect(stopped).toMatchObject({ handle: null, end: { type: 'stopped', reason: 'cancelled' } });
    });

    proof.promise('the handle of an ended or unknown command is not found', async () => {
      const { workspace } = await open({}, { mode: 'full' });
      const handle = await begin(workspace);
      await workspace.pollCommand({ handle, waitMs: 30_000, stop: true }, never);
      for (const unknown of [handle, 'none']) {
        const polled = await workspace.pollCommand({ handle: unknown, waitMs: 1, stop: false }, never);
        expect(refusalBy(polled).code).toBe('not-found');
      }
    });

    proof.promise('a run sees no commands of another run', async () => {
      const { workspace, openRun } = await open({}, { mode: 'full' });
      const handle = await begin(workspace);
      const other = await openRun({ mode: 'full' });
      expect(refusalBy(await other.pollCommand({ handle, waitMs: 1, stop: true }, never)).code).toBe('not-found');
      await workspace.pollCommand({ handle, waitMs: 30_000, stop: true }, never);
    });

    for (const mode of ['plan', 'edit'] as const) {
      proof.promise(`in the mode ${mode} no command runs`, async () => {
        const { workspace } = await open({}, { mode });
        const refused = await workspace.runCommand({ plan: printingPlan, timeoutMs: 60_000, waitMs: 1 }, never);
        expect(refusalBy(refused).code).toBe('refused-command');
      });
    }

    proof.promise('after an abort, and after the run, no command runs', async () => {
      const { workspace } = await open({}, { mode: 'full' });
      const request = { plan: printingPlan, timeoutMs: 60_000, waitMs: 30_000 };
      expect(refusalBy(await workspace.runCommand(request, AbortSignal.abort())).code).toBe('cancelled');
      await workspace.close();
      expect(refusalBy(await workspace.runCommand(request, never)).code).toBe('cancelled');
    });
  });
}
