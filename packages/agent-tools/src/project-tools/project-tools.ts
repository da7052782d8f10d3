import type {
  ChangeConsent,
  ChangedFile,
  Clock,
  ModelTool,
  Replacement,
  StepRefusal,
  StepResult,
  ToolCall,
  ToolProvider,
  ToolResult,
  WorkLog,
  WorkMode,
  Workspace,
} from '@gemini-mcp/core';
import {
  type CommandRule,
  countOf,
  escapeName,
  linkedAbort,
  nearestName,
  sleepUnlessAborted,
  utf8Length,
} from '@gemini-mcp/core/internal';
import { checkArguments, describeInvalidArguments } from '@gemini-mcp/mcp/internal';
import * as z from 'zod';
import { createCommandTools } from './command-tools.ts';
import { type AskUser, type ProjectTool, refusedResult, type ToolReport } from './project-tool.ts';
import { createReadingTools, pathArgument } from './reading-tools.ts';
import { strangerText } from './stranger-text.ts';

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

type ChangingToolsOptions = {
  readonly workspace: Pick<Workspace, 'putFile' | 'modifyFile'>;
  readonly askUser: AskUser;
};

/** Creates the tools that change files: a whole file, one piece of it, or several pieces. */
function createChangingTools(options: ChangingToolsOptions): readonly ProjectTool[] {
  return [putFileTool(options), changeFileTool(options), modifyFileTool(options)];
}

function putFileTool({ workspace, askUser }: ChangingToolsOptions): ProjectTool {
  const input = z.strictObject({
    file_path: pathArgument('The file. Missing directories are created.'),
    content: z.string().describe('The whole content.'),
  });
  const tool: ProjectTool<typeof input> = {
    name: 'put_file',
    description:
      'Creates a file, or replaces all of it. View a file before you replace it; to change a part of it use change_file.',
    input,
    changes: true,
    takesLong: false,
    subjectOf: ({ file_path: path }) => path,
    writtenBytesOf: ({ content }) => utf8Length(content),
    run: ({ file_path: path, content }, _, signal) =>
      makeChange((consents) => workspace.putFile({ path, content, ...consents }, signal), askUser, signal),
  };
  return tool;
}

function changeFileTool({ workspace, askUser }: ChangingToolsOptions): ProjectTool {
  const input = z.strictObject({ file_path: pathArgument('The file.'), ...replacementArguments() });
  const tool: ProjectTool<typeof input> = {
    name: 'change_file',
    description: 'Replaces a piece of a file that you have viewed.',
    input,
    changes: true,
    takesLong: false,
    subjectOf: ({ file_path: path }) => path,
    writtenBytesOf: ({ new_string: text }) => utf8Length(text),
    run: ({ file_path: path, ...replacement }, _, signal) => {
      const replacements = [replacementOf(replacement)] as const;
      return makeChange(
        (consents) => workspace.modifyFile({ path, replacements, ...consents }, signal),
        askUser,
        signal,
      );
    },
  };
  return tool;
}

const maxReplacements = 100;

function modifyFileTool({ workspace, askUser }: ChangingToolsOptions): ProjectTool {
  const replacement = z.strictObject(replacementArguments());
  const input = z.strictObject({
    file_path: pathArgument('The file.'),
    replacements: z
      .array(replacement)
      .min(1)
      .max(maxReplacements)
      .describe('Applied in order, each to the result of the one before: all of them or none.'),
  });
  const tool: ProjectTool<typeof input> = {
    name: 'modify_file',
    description: 'Replaces several pieces of a file that you have viewed, all of them or none.',
    input,
    changes: true,
    takesLong: false,
    subjectOf: ({ file_path: path }) => path,
    writtenBytesOf: ({ replacements }) => replacements.reduce((sum, { new_string: text }) => sum + utf8Length(text), 0),
    run: async ({ file_path: path, replacements: given }, _, signal) => {
      const replacements = atLeastOne(given.map(replacementOf));
      if (replacements === null) {
        return { ok: false, refusal: nothingToReplace };
      }
      return makeChange(
        (consents) => workspace.modifyFile({ path, replacements, ...consents }, signal),
        askUser,
        signal,
      );
    },
  };
  return tool;
}

const nothingToReplace: StepRefusal = {
  code: 'invalid-arguments',
  message: 'There is nothing to replace.',
  hint: 'Give at least one replacement.',
  retriable: false,
};

function atLeastOne([first, ...others]: readonly Replacement[]): readonly [Replacement, ...Replacement[]] | null {
  return first === undefined ? null : [first, ...others];
}

type ReplacementArguments = {
  readonly old_string: z.ZodString;
  readonly new_string: z.ZodString;
  readonly allow_multiple: z.ZodDefault<z.ZodBoolean>;
};

/** One replacement, with the argument names that Gemini's models are used to. */
function replacementArguments(): ReplacementArguments {
  return {
    old_string: z.string().min(1).describe('The exact existing text, with enough around it to be unique.'),
    new_string: z.string().describe('The exact new text.'),
    allow_multiple: z.boolean().default(false).describe('Whether to replace every occurrence.'),
  };
}

function replacementOf(args: z.output<z.ZodObject<ReplacementArguments>>): Replacement {
  return { oldText: args.old_string, newText: args.new_string, all: args.allow_multiple };
}

/** An approved change takes no longer. */
const changeMs = 10_000;

/** Makes a change, asking for the user's consent if needed. */
async function makeChange(
  change: (consent: { readonly consent?: ChangeConsent }) => Promise<StepResult<ChangedFile>>,
  askUser: AskUser,
  signal: AbortSignal,
): Promise<ToolReport> {
  const first = await change({});
  if (first.ok) {
    return describeChange(first.value);
  }
  const { proposal } = first.refusal;
  if (first.refusal.code !== 'needs-approval' || proposal === undefined) {
    return first;
  }
  const refusal = await askUser({ type: 'change', change: proposal, timeMs: changeMs }, signal);
  if (refusal !== null) {
    return { ok: false, refusal };
  }
  const { path, beforeHash } = proposal;
  const second = await change({ consent: { path, beforeHash } });
  return second.ok ? describeChange(second.value) : second;
}

/** A longer diff only repeats Gemini's own text. */
const maxDiffCharacters = 4_000;

/** Describes a finished change to Gemini. */
function describeChange({
  path,
  kind,
  diff,
  addedLines,
  removedLines,
  hash,
  sizeBytes,
  notes,
}: ChangedFile): ToolReport {
  const counts = `+${addedLines} -${removedLines}`;
  const done = kind === 'created' ? 'Created' : 'Changed';
  const header = [`${done} ${escapeName(path)} (${counts} lines, ${countOf(sizeBytes, 'byte')}).`, ...notes].join(' ');
  const shown = diff.length > maxDiffCharacters || kind === 'created' ? '' : `\n${strangerText('diff', diff).fenced}`;
  return {
    ok: true,
    text: `${header}${shown}`,
    data: { path, kind, addedLines, removedLines, hash, sizeBytes, notes },
    summary: counts,
  };
}
