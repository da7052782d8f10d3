import {
  type ApprovalQuestion,
  type ApprovalStore,
  type Clock,
  type Executor,
  type StepResult,
  type WorkBudget,
  WorkLog,
  type WorkMode,
  type Workspace,
} from '@gemini-mcp/core';
import { ApprovalPrompts, shippedCommandRules } from '@gemini-mcp/core/internal';
import { ProjectTools } from '../project-tools/project-tools.ts';

export type ServedToolsOptions = {
  readonly clock: Clock;
  readonly executor: Pick<Executor, 'open' | 'sandbox'>;
  readonly approvals: ApprovalStore;
  readonly mode: WorkMode;
  readonly budget: WorkBudget;
  /** As `WorkspaceOptions.runId` has to be, each time another one. */
  readonly createRunId: () => string;
  readonly realPathOf: (directory: string) => Promise<string>;
  /** How a shell starts the server, as it was started. */
  readonly program?: string | undefined;
  /** A sentence that names the setting, for a tool that the mode leaves out. */
  readonly modeAdvice: string;
};

/** The owner and the place of the work. */
export type ProjectLocation = {
  readonly owner: string;
  readonly workingDirectory: string;
  /** Real paths: nothing outside is read or changed. */
  readonly roots: readonly string[];
};

const never = new AbortController().signal;

/** A workspace with its tools, shared by several calls. */
export class OpenProject {
  readonly runId: string;
  readonly tools: ProjectTools;
  readonly #workspace: Workspace;
  #calls = 0;
  #isOver = false;
  #used = new AbortController();

  private constructor(runId: string, workspace: Workspace, tools: ProjectTools) {
    this.runId = runId;
    this.tools = tools;
    this.#workspace = workspace;
  }

  static async open(place: ProjectLocation, options: ServedToolsOptions): Promise<StepResult<OpenProject>> {
    const { clock, executor, approvals, mode, budget, createRunId, program } = options;
    const runId = createRunId();
    const opened = await executor.open({ ...place, runId, mode, network: false }, never);
    if (!opened.ok) {
      return opened;
    }
    const desk = new ApprovalPrompts({
      approver: { ask: async (question) => ({ type: 'cannot-ask', text: insteadOfAsking(question) }) },
      store: approvals,
      clock,
      rules: shippedCommandRules,
      directory: place.workingDirectory,
      program,
      network: false,
      offersLasting: false,
      deadlineAtMs: Number.MAX_SAFE_INTEGER,
    });
    const tools = new ProjectTools({
      workspace: opened.value,
      mode,
      runsCommands: mode === 'full' && (await executor.sandbox(never)).available,
      rules: shippedCommandRules,
      askUser: async (step, signal) => {
        const approval = await desk.ask(step, signal);
        return approval.allowed ? null : approval.refusal;
      },
      log: new WorkLog({ clock, budget }),
      clock,
    });
    return { ok: true, value: new OpenProject(runId, opened.value, tools) };
  }

  /** Call this before each call. Returns false if the workspace was closed in the meantime: then the call must not be made. */
  begin(): boolean {
    if (this.#isOver) {
      return false;
    }
    this.#calls += 1;
    this.#used.abort();
    return true;
  }

  /** Call this after each call. The returned signal is aborted when another call begins, while others are running, and on close. */
  end(): AbortSignal {
    this.#calls -= 1;
    this.#used = new AbortController();
    if (this.#calls > 0 || this.#isOver) {
      this.#used.abort();
    }
    return this.#used.signal;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#used.abort();
    await this.#workspace.close();
  }
}

function insteadOfAsking({ toType }: ApprovalQuestion): string {
  const instead =
    toType === undefined
      ? 'The user has to do it by hand.'
      : `To allow it for good, type at a terminal of the server: ${toType}`;
  return `This client cannot show prompts. ${instead}`;
}
