import type {
  Clock,
  ModelTool,
  StepRefusal,
  ToolCall,
  ToolProvider,
  ToolResult,
  WorkLog,
  WorkMode,
  Workspace,
} from '@gemini-mcp/core';
import { type CommandRule, linkedAbort, nearestName, sleepUnlessAborted } from '@gemini-mcp/core/internal';
import { checkArguments, describeInvalidArguments } from '@gemini-mcp/mcp/internal';
import * as z from 'zod';
import { createChangingTools } from './changing-tools.ts';
import { createCommandTools } from './command-tools.ts';
import { type AskUser, type ProjectTool, refusedResult, type ToolReport } from './project-tool.ts';
import { createReadingTools } from './reading-tools.ts';

export type ProjectToolsOptions = {
  readonly workspace: Workspace;
  readonly mode: WorkMode;
  /** Whether commands can run, if the mode includes them. */
  readonly runsCommands: boolean;
  readonly rules: readonly CommandRule[];
  readonly askUser: AskUser;
  readonly log: WorkLog;
  readonly clock: Clock;
  /** As in `ToolProvider`. */
  readonly reach?: string;
};

const cancelled: StepRefusal = { code: 'cancelled', message: 'The call was cancelled.', hint: '', retriable: false };

const late: StepRefusal = { code: 'timeout', message: 'This call has timed out.', hint: '', retriable: false };

/** Longer names are not tool names. */
const maxShownName = 60;

/** The Gemini CLI adds it to the arguments of each tool, and forwards it. */
const addedByCli = 'wait_for_previous';

/** The tools with which Gemini works on a project: those of the run's mode, subject to its rules, approvals and budget. */
export class ProjectTools implements ToolProvider {
  readonly cacheKey?: string;
  readonly #options: ProjectToolsOptions;
  readonly #tools: ReadonlyMap<string, ProjectTool>;

  constructor(options: ProjectToolsOptions) {
    this.#options = options;
    if (options.reach !== undefined) {
      this.cacheKey = options.reach;
    }
    this.#tools = new Map(createTools(options).map((tool) => [tool.name, tool]));
  }

  async list(signal: AbortSignal): Promise<readonly ModelTool[]> {
    signal.throwIfAborted();
    return [...this.#tools.values()].map(presentTool);
  }

  async call({ name, arguments: given, deadlineAtMs }: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    const { log } = this.#options;
    const tool = this.#tools.get(name);
    if (tool === undefined) {
      return this.#refuseName(name);
    }
    const { [addedByCli]: _, ...args } = given;
    const checked = await checkArguments(tool.input, args);
    if (!checked.isAccepted) {
      const message = describeInvalidArguments(name, { ...checked, args });
      return refusedResult({ code: 'invalid-arguments', message, hint: '', retriable: false });
    }
    const result = await this.#take(tool, checked.args, deadlineAtMs, signal);
    log.exchanged(result.text.length + JSON.stringify(args).length);
    return result;
  }

  /** Takes one step within its deadline, and adds it to the run's report, however it ends. */
  async #take(
    tool: ProjectTool,
    args: z.output<z.ZodObject>,
    deadlineAtMs: number,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const { log, clock } = this.#options;
    const leftMs = deadlineAtMs - clock.now();
    if (signal.aborted || leftMs <= 0) {
      return refusedResult(stopped(signal));
    }
    const { name, changes, takesLong } = tool;
    const subject = tool.subjectOf(args);
    const step = log.begin({ tool: name, subject, changes, takesLong, writtenBytes: tool.writtenBytesOf?.(args) ?? 0 });
    if ('code' in step) {
      return refusedResult(step);
    }
    const ending = linkedAbort(signal);
    const over = new AbortController();
    void sleepUnlessAborted(clock, leftMs, over.signal).then((isLate) => isLate && ending.abort());
    const report = await runSafely(tool, args, deadlineAtMs, ending.signal);
    over.abort();
    ending.release();
    if (!report.ok) {
      const refusal = ending.signal.aborted ? stopped(signal) : report.refusal;
      step.end({ type: 'refused', refusal });
      return refusedResult(refusal);
    }
    const { text, data, media, summary } = report;
    step.end({ type: 'done', summary });
    return { text, data, ...(media !== undefined && { media }), isDone: true };
  }

  /** Reports that Gemini tried something that the mode does not allow. */
  onUnknownName(name: string): void {
    const { log, mode } = this.#options;
    const tool = name.slice(0, maxShownName);
    const step = log.begin({ tool, subject: '', changes: false, takesLong: false, writtenBytes: 0 });
    if (!('code' in step)) {
      const message = `${mode} mode has no such tool.`;
      step.end({ type: 'refused', refusal: { code: 'not-found', message } });
    }
  }

  #refuseName(name: string): ToolResult {
    const names = [...this.#tools.keys()];
    const nearest = name.length > maxShownName ? null : nearestName(name, names);
    const hint = `${nearest === null ? '' : `Did you mean ${nearest}? `}The tools are: ${names.join(', ')}.`;
    return refusedResult({ code: 'not-found', message: 'This run has no such tool.', hint, retriable: false });
  }
}

function presentTool({ name, description, input, changes }: ProjectTool): ModelTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  return { name, description, inputSchema, changes };
}

function stopped({ aborted }: AbortSignal): StepRefusal {
  return aborted ? cancelled : late;
}

/** A bug of ours ends the step, not the run. */
async function runSafely(
  tool: ProjectTool,
  args: z.output<z.ZodObject>,
  deadlineAtMs: number,
  signal: AbortSignal,
): Promise<ToolReport> {
  try {
    return await tool.run(args, { deadlineAtMs }, signal);
  } catch {
    const hint = 'Continue without it.';
    return { ok: false, refusal: { code: 'failed', message: 'The tool failed.', hint, retriable: false } };
  }
}

/** The tools of the run's mode. */
function createTools(options: ProjectToolsOptions): readonly ProjectTool[] {
  const { mode, runsCommands } = options;
  return [
    ...createReadingTools(options),
    ...(mode === 'plan' ? [] : createChangingTools(options)),
    ...(mode === 'full' && runsCommands ? createCommandTools(options) : []),
  ];
}
