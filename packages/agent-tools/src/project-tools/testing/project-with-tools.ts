import {
  type StepResult,
  type StepToApprove,
  type ToolResult,
  type ViewedFile,
  WorkLog,
  type WorkMode,
  type Workspace,
} from '@gemini-mcp/core';
import { shippedCommandRules } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import type { AskUser } from '../project-tool.ts';
import { ProjectTools } from '../project-tools.ts';

export type ProjectWithToolsOptions = {
  readonly mode?: WorkMode;
  readonly runsCommands?: boolean;
  /** The results of steps; every other step is refused. */
  readonly steps?: Partial<Workspace>;
  readonly answer?: Awaited<ReturnType<AskUser>>;
  readonly maxSteps?: number;
};

/** The tools on a project with scripted step results. */
export class ProjectWithTools {
  readonly clock: FakeClock = new FakeClock();
  readonly log: WorkLog;
  readonly tools: ProjectTools;
  readonly asked: StepToApprove[] = [];

  constructor({
    mode = 'full',
    runsCommands = true,
    steps = {},
    answer = null,
    maxSteps = 100,
  }: ProjectWithToolsOptions = {}) {
    const { clock } = this;
    this.log = new WorkLog({ clock, budget: { maxSteps, maxWrittenBytes: 1_000, maxTokens: 1_000_000 } });
    this.tools = new ProjectTools({
      workspace: { ...nothing, ...steps },
      mode,
      runsCommands,
      rules: shippedCommandRules,
      askUser: async (step) => {
        this.asked.push(step);
        return answer;
      },
      log: this.log,
      clock,
    });
  }

  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal = new AbortController().signal,
  ): Promise<ToolResult> {
    return this.tools.call({ name, arguments: args, deadlineAtMs: this.clock.now() + 600_000 }, signal);
  }

  async names(): Promise<readonly string[]> {
    return (await this.tools.list(new AbortController().signal)).map(({ name }) => name);
  }
}

/** The result of viewing a file. */
export function viewed(text: string, known: Partial<ViewedFile> = {}): StepResult<ViewedFile> {
  const totalLines = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
  return {
    ok: true,
    value: { path: 'a.ts', text, firstLine: 1, lastLine: totalLines, totalLines, hash: 'h', ...known },
  };
}

const refuse = async (): Promise<StepResult<never>> => ({
  ok: false,
  refusal: { code: 'not-found', message: 'There is no such file.', hint: 'List the directory.', retriable: false },
});

const nothing: Workspace = {
  viewFile: refuse,
  lookAt: refuse,
  listFiles: refuse,
  searchFiles: refuse,
  putFile: refuse,
  modifyFile: refuse,
  runCommand: refuse,
  pollCommand: refuse,
  prepareCommands: async () => ({ commands: true }),
  changes: async () => ({ files: [], coverage: { commands: true }, unkept: null }),
  close: async () => undefined,
};
