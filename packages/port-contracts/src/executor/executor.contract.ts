import type { Workspace, WorkspaceOptions } from '@gemini-mcp/core';
import { afterEach, describe } from 'vitest';
import { Proof } from '../proof.ts';
import { describeExecutorCommands } from './executor-commands.contract.ts';
import { describeExecutorFiles } from './executor-files.contract.ts';
import {
  describeExecutorPlace,
  doneBy,
  type ExecutorFeatures,
  type ExecutorHarness,
  type ExecutorPlace,
  type ExecutorSubject,
  never,
} from './executor-harness.ts';
import { describeExecutorUndo } from './executor-undo.contract.ts';

export type ExecutorContractOptions = {
  readonly name: string;
  readonly features: ExecutorFeatures;
  /** Makes the place of a test, and an executor for it. */
  readonly create: (place: ExecutorPlace) => Promise<ExecutorHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

/** The promises of every `Executor` and its workspaces. */
export function describeExecutorContract({ name, features, create, deadlineMs }: ExecutorContractOptions): void {
  describe(`Executor contract: ${name}`, () => {
    const proof = new Proof({ subject: `Executor ${JSON.stringify(name)}`, deadlineMs });
    const harnesses: ExecutorHarness[] = [];
    const workspaces: Workspace[] = [];
    let runs = 0;
    const open: ExecutorSubject['open'] = async (fields, options) => {
      const place = { tree: {}, outside: {}, links: {}, ...fields };
      proof.note(describeExecutorPlace(place));
      const harness = await create(place);
      harnesses.push(harness);
      const executor = proof.watch(harness.executor);
      const { workingDirectory } = harness;
      const openRun = async (own: Partial<WorkspaceOptions> = {}): Promise<Workspace> => {
        runs += 1;
        const usual = { runId: `run-${runs}`, owner: 'owner', mode: 'edit', network: false } as const;
        const opened = await executor.open({ ...usual, workingDirectory, roots: [workingDirectory], ...own }, never);
        const workspace = proof.watch(doneBy(opened));
        workspaces.push(workspace);
        return workspace;
      };
      return { ...harness, executor, workspace: await openRun(options), openRun };
    };
    afterEach(async () => {
      await Promise.all(workspaces.splice(0).map((workspace) => workspace.close()));
      await Promise.all(harnesses.splice(0).map((harness) => harness.dispose()));
    });

    const subject = { proof, open, features };
    describeExecutorFiles(subject);
    describeExecutorUndo(subject);
    describeExecutorCommands(subject);
  });
}
