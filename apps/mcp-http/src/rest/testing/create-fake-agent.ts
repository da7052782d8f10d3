import { type AskGemini, type Clock, WorkOnTask, type Workspace } from '@gemini-mcp/core';
import { approvalsInMemory, FakeExecutor, ScriptedToolProvider } from '@gemini-mcp/core/testing';
import type { SurfaceOptions } from '@gemini-mcp/mcp';

export type FakeAgentOptions = {
  readonly clock: Clock;
  readonly askGemini: AskGemini;
  readonly tree: Readonly<Record<string, string>>;
  /** What each run changes. */
  readonly changes: Readonly<Record<string, string>>;
  readonly createRunId: () => string;
};

/** Runs of gemini_agent on files in memory. */
export function createFakeAgent(options: FakeAgentOptions): NonNullable<SurfaceOptions['agent']> {
  const { tree, changes } = options;
  const executor = new FakeExecutor({ tree, workingDirectory: '/project' });
  return {
    workOnTask: new WorkOnTask({
      ...options,
      executor,
      approvals: approvalsInMemory(),
      offersLasting: false,
      realPathOf: async (directory) => directory,
      provideProjectTools: ({ workspace }) => provideTools(workspace, changes),
    }),
    undo: (request, signal) => executor.undo(request, signal),
    mode: 'full',
    allowsNetwork: false,
    budget: { maxSteps: 10, maxWrittenBytes: 1_000_000, maxTokens: 1_000_000 },
    timeoutMs: 60_000,
  };
}

/** A run makes its changes when it gets its tools. It gets no real ones: those belong to another package. */
async function provideTools(workspace: Workspace, changes: FakeAgentOptions['changes']): Promise<ScriptedToolProvider> {
  for (const [path, content] of Object.entries(changes)) {
    await workspace.putFile({ path, content }, new AbortController().signal);
  }
  return new ScriptedToolProvider({ tools: [] });
}
