import type {
  Clock,
  LentCall,
  LentResult,
  LentTool,
  StepRefusal,
  ToolSource,
  WorkLog,
  WorkMode,
  Workspace,
} from '@gemini-mcp/core';
import { type CommandRule, hasSlept, nearestName } from '@gemini-mcp/core/internal';
import { checkArguments, describeInvalidArguments } from '@gemini-mcp/mcp/internal';
import * as z from 'zod';
import type { AskUser } from './ask-user.ts';
import { createTools } from './create-tools.ts';
import type { CallLimit, ProjectTool, ToolReport } from './project-tool.ts';
import { refusedResult } from './shown/refused-result.ts';

export type ProjectToolsOptions = {
  readonly workspace: Workspace;
  readonly mode: WorkMode;
  /** Whether commands can be run, in a mode that has them. */
  readonly runsCommands: boolean;
  readonly rules: readonly CommandRule[];
  readonly askUser: AskUser;
  readonly log: WorkLog;
  readonly clock: Clock;
  /** As in `ToolSource`. */
  readonly reach?: string;
};

/** What the system could not do just now is tried again after these times. */
const retryDelaysMs = [50, 200, 800] as const;

const cancelled: StepRefusal = { code: 'cancelled', message: 'The call was cancelled.', hint: '', retriable: false };

const late: StepRefusal = { code: 'timeout', message: 'The time of this call is over.', hint: '', retriable: false };

/** Longer names are no names of tools. */
const maxShownName = 60;

/** Gemini CLI adds it to the arguments of each tool, and hands it on. */
const addedByCli = 'wait_for_previous';

/** The tools by which Gemini works on a project: those of the run's mode, with its rules, its user's consent and its budget. */
export class ProjectTools implements ToolSource {
  readonly reach?: string;
  readonly #options: ProjectToolsOptions;
  readonly #tools: ReadonlyMap<string, ProjectTool>;
  /** The last call that may change something: the next one waits for it. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(options: ProjectToolsOptions) {
    this.#options = options;
    if (options.reach !== undefined) {
      this.reach = options.reach;
    }
    this.#tools = new Map(createTools(options).map((tool) => [tool.name, tool]));
  }

  async list(signal: AbortSignal): Promise<readonly LentTool[]> {
    signal.throwIfAborted();
    return [...this.#tools.values()].map(presentTool);
  }

  async call({ name, arguments: given, deadlineAtMs }: LentCall, signal: AbortSignal): Promise<LentResult> {
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
    const result = await this.#inTurn(tool, () =>
      this.#inTime(deadlineAtMs, signal, (ending) => this.#take(tool, checked.args, deadlineAtMs, ending)),
    );
    log.exchanged(result.text.length + JSON.stringify(args).length);
    return result;
  }

  /** Refuses what comes too late, and ends what takes too long. */
  async #inTime(
    deadlineAtMs: number,
    signal: AbortSignal,
    call: (ending: AbortSignal) => Promise<LentResult>,
  ): Promise<LentResult> {
    const { clock } = this.#options;
    const leftMs = deadlineAtMs - clock.now();
    if (signal.aborted || leftMs <= 0) {
      return refusedResult(signal.aborted ? cancelled : late);
    }
    const [ending, over] = [new AbortController(), new AbortController()];
    const end = (): void => ending.abort(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    void hasSlept(clock, leftMs, over.signal).then((isOver) => isOver && ending.abort(new Error('deadline')));
    try {
      const result = await call(ending.signal);
      return ending.signal.aborted && !result.isDone ? refusedResult(signal.aborted ? cancelled : late) : result;
    } finally {
      over.abort();
      signal.removeEventListener('abort', end);
    }
  }

  async #take(
    tool: ProjectTool,
    args: z.output<z.ZodObject>,
    deadlineAtMs: number,
    signal: AbortSignal,
  ): Promise<LentResult> {
    const { log } = this.#options;
    const { name, changes, takesLong } = tool;
    const step = log.begin({
      tool: name,
      subject: tool.subjectOf(args),
      changes,
      takesLong,
      writtenBytes: tool.writtenBytesOf?.(args) ?? 0,
    });
    if ('code' in step) {
      return refusedResult(step);
    }
    const report = await this.#run(tool, args, deadlineAtMs, signal);
    if (!report.ok) {
      step.end({ type: 'refused', refusal: report.refusal });
      return refusedResult(report.refusal);
    }
    const { text, data, media, summary } = report;
    step.end({ type: 'done', summary });
    return { text, data, ...(media !== undefined && { media }), isDone: true };
  }

  /** Tries again what failed for want of something that the system may have in a moment. */
  async #run(
    tool: ProjectTool,
    args: z.output<z.ZodObject>,
    deadlineAtMs: number,
    signal: AbortSignal,
  ): Promise<ToolReport> {
    const { clock } = this.#options;
    let report = await runSafely(tool, args, { deadlineAtMs }, signal);
    for (const delayMs of retryDelaysMs) {
      const isTransient = !report.ok && report.refusal.code === 'failed' && report.refusal.retriable;
      if (!isTransient || clock.now() + delayMs >= deadlineAtMs || !(await hasSlept(clock, delayMs, signal))) {
        return report;
      }
      report = await runSafely(tool, args, { deadlineAtMs }, signal);
    }
    return report;
  }

  /** Calls that may change something are made one at a time, in the order in which they came. */
  async #inTurn<Result>({ changes }: ProjectTool, call: () => Promise<Result>): Promise<Result> {
    if (!changes) {
      return await call();
    }
    const made = this.#lastChange.then(call);
    this.#lastChange = made.catch(() => undefined);
    return await made;
  }

  /** Gemini tried what the mode does not allow: the account of the run says so. */
  onUnknownName(name: string): void {
    const { log, mode } = this.#options;
    const tool = name.slice(0, maxShownName);
    const step = log.begin({ tool, subject: '', changes: false, takesLong: false, writtenBytes: 0 });
    if (!('code' in step)) {
      const message = `There is no such tool in ${mode} mode.`;
      step.end({ type: 'refused', refusal: { code: 'not-found', message } });
    }
  }

  #refuseName(name: string): LentResult {
    const names = [...this.#tools.keys()];
    const nearest = name.length > maxShownName ? null : nearestName(name, names);
    const hint = `${nearest === null ? '' : `Did you mean ${nearest}? `}The tools are: ${names.join(', ')}.`;
    return refusedResult({ code: 'not-found', message: 'There is no such tool in this run.', hint, retriable: false });
  }
}

function presentTool({ name, description, input, changes }: ProjectTool): LentTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  return { name, description, inputSchema, changes };
}

/** A fault of ours is a refusal too: the run goes on, and its account has the step. */
async function runSafely(
  tool: ProjectTool,
  args: z.output<z.ZodObject>,
  limit: CallLimit,
  signal: AbortSignal,
): Promise<ToolReport> {
  try {
    return await tool.run(args, limit, signal);
  } catch {
    const hint = 'Go on without it.';
    return { ok: false, refusal: { code: 'failed', message: 'The tool failed.', hint, retriable: false } };
  }
}
