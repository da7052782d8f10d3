import {
  type ApprovalOutcome,
  AskGemini,
  type CommandPlan,
  type SandboxState,
  type ToolCall,
  type ToolResult,
  WorkOnTask,
  type WorkProgress,
  type WorkRequest,
  type WorkResult,
} from '@gemini-mcp/core';
import {
  approvalsInMemory,
  FakeClock,
  FakeExecutor,
  InMemoryContextResolver,
  ScriptedApprover,
  type ScriptedCommand,
  ScriptedGeminiRunner,
  type ScriptedRun,
} from '@gemini-mcp/core/testing';
import { ProjectTools } from '../project-tools.ts';

/** Calls that Gemini makes together, each with its tool name and arguments. */
export type Round = readonly Pick<ToolCall, 'name' | 'arguments'>[];

export type ScriptedWorkOptions = {
  readonly tree: Readonly<Record<string, string>>;
  /** The calls of the model, run after run. */
  readonly rounds?: readonly Round[];
  /** The model's other behaviour: one entry per run, the last one for all later runs. */
  readonly runs?: readonly ScriptedRun[];
  readonly command?: (plan: CommandPlan) => ScriptedCommand;
  readonly sandbox?: SandboxState;
  readonly answer?: () => ApprovalOutcome;
};

/** A scripted model that works on files in memory. */
export class ScriptedWork {
  readonly clock: FakeClock = new FakeClock();
  readonly executor: FakeExecutor;
  readonly approver: ScriptedApprover;
  readonly runner: ScriptedGeminiRunner;
  readonly progress: WorkProgress[] = [];
  /** The results of the model's calls, in order. */
  readonly results: ToolResult[] = [];
  /** The tools that the model was offered. */
  offered: readonly string[] = [];
  readonly #workOnTask: WorkOnTask;
  #runs = 0;

  constructor({ tree, rounds = [], runs = [{ chunks: ['Done.'] }], command, sandbox, answer }: ScriptedWorkOptions) {
    const { clock } = this;
    this.executor = new FakeExecutor({
      tree,
      ...(command !== undefined && { command }),
      ...(sandbox !== undefined && { sandbox }),
    });
    this.approver = new ScriptedApprover({ clock, ...(answer !== undefined && { answer }) });
    const toolSession = {
      rounds,
      onOffered: (names: readonly string[]) => {
        this.offered = names;
      },
      onResults: (results: readonly ToolResult[]) => this.results.push(...results),
    };
    this.runner = new ScriptedGeminiRunner({
      clock,
      script: (_, index) => ({ toolSession, ...(runs[Math.min(index, runs.length - 1)] ?? {}) }),
    });
    const askGemini = new AskGemini({
      clock,
      resolver: new InMemoryContextResolver({ tree, clock }),
      runner: this.runner,
      modelChain: ['pro', 'flash'],
      random: () => 0,
      boundaryOf: () => 'b0',
    });
    this.#workOnTask = new WorkOnTask({
      clock,
      askGemini,
      executor: this.executor,
      approvals: approvalsInMemory(),
      offersLasting: true,
      createRunId: () => {
        this.#runs += 1;
        return `run${this.#runs}`;
      },
      realPathOf: async (directory) => directory,
      provideProjectTools: async (project) => new ProjectTools({ ...project, clock }),
    });
  }

  work(known: Partial<WorkRequest> = {}, signal: AbortSignal = new AbortController().signal): Promise<WorkResult> {
    const request: WorkRequest = {
      task: 'Mend it.',
      owner: 'ada',
      files: [],
      globPatterns: [],
      directories: [],
      model: null,
      timeoutMs: 600_000,
      maxFiles: 100,
      maxBytes: 1_000_000,
      workingDirectory: '/project',
      roots: ['/project'],
      mode: 'full',
      network: false,
      budget: { maxSteps: 200, maxWrittenBytes: 1_000_000, maxTokens: 100_000_000 },
      approver: this.approver,
      ...known,
    };
    return this.#workOnTask.work(request, (progress) => this.progress.push(progress), signal);
  }
}

/** One call of a tool. */
export function calling(name: string, args: Readonly<Record<string, unknown>>): Round {
  return [{ name, arguments: args }];
}
