import type { ModelTool, StepRefusal, StepResult, ToolResult } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { refusedResult } from '../project-tools/project-tool.ts';
import { OpenProject, type ProjectLocation, type ServedToolsOptions } from './open-project.ts';

export type ServedResult = ToolResult & {
  /** The id by which the run can be undone; null if no workspace was opened. */
  readonly runId: string | null;
};

/** After this long without a call, the work in a directory ends. */
const idleMs = 600_000;
const maxProjectsOfOwner = 4;
const callMs = 540_000;

/** Serves tools on projects to programs other than Gemini: one workspace for each owner and directory, kept while in use. */
export class ServedTools {
  readonly #options: ServedToolsOptions;
  readonly #projects = new Map<string, Promise<StepResult<OpenProject>>>();
  #isClosed = false;

  constructor(options: ServedToolsOptions) {
    this.#options = options;
  }

  /** The tools for a directory: ours first, then those with documented names. Returns a refusal for an unusable directory. */
  async list(place: ProjectLocation, signal: AbortSignal): Promise<StepResult<readonly ModelTool[]>> {
    const used = await this.#use(place, (project) => project.tools.list(signal), signal);
    return used.ok ? { ok: true, value: withDocumented(used.value) } : used;
  }

  /** Executes a call by either name. Never rejects; ends soon after an abort. */
  async execute(
    {
      tool,
      args,
      ...place
    }: ProjectLocation & { readonly tool: string; readonly args: Readonly<Record<string, unknown>> },
    signal: AbortSignal,
  ): Promise<ServedResult> {
    const translated = translate(tool, args);
    if (!translated.ok) {
      return { ...refusedResult(invalid(translated.message)), runId: null };
    }
    const { clock, modeAdvice } = this.#options;
    const call = { name: translated.tool, arguments: translated.arguments, deadlineAtMs: clock.now() + callMs };
    const used = await this.#use(
      place,
      async ({ tools, runId }): Promise<ServedResult> => {
        const names = (await tools.list(signal)).map(({ name }) => name);
        if (!names.includes(call.name)) {
          const message = `No tool is called ${JSON.stringify(tool.slice(0, 60))} here. ${modeAdvice}`;
          const hint = `The tools are: ${names.join(', ')}.`;
          return { ...refusedResult({ code: 'not-found', message, hint, retriable: false }), runId };
        }
        return { ...(await tools.call(call, signal)), runId };
      },
      signal,
    );
    return used.ok ? used.value : { ...refusedResult(used.refusal), runId: null };
  }

  /** Ends a run of the owner, with all its commands, so that it can be undone. Resolves to whether the run existed. */
  async end({ owner, runId }: { readonly owner: string; readonly runId: string }): Promise<boolean> {
    for (const [key, opening] of this.#projects) {
      const opened = isOfOwner(key, owner) ? await opening : null;
      if (opened?.ok === true && opened.value.runId === runId) {
        this.#projects.delete(key);
        await opened.value.close();
        return true;
      }
    }
    return false;
  }

  /** Ends every workspace with its commands, and opens no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const projects = [...this.#projects.values()];
    this.#projects.clear();
    await Promise.all(projects.map(async (opened) => endOf(await opened)));
  }

  async #use<Value>(
    place: ProjectLocation,
    work: (project: OpenProject) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<StepResult<Value>> {
    if (signal.aborted) {
      return { ok: false, refusal: cancelled };
    }
    const workingDirectory = await this.#options.realPathOf(place.workingDirectory);
    const key = keyOf({ ...place, workingDirectory });
    const opened = await this.#find(key, { ...place, workingDirectory });
    if (!opened.ok) {
      return opened;
    }
    const project = opened.value;
    if (!project.begin()) {
      return this.#use(place, work, signal);
    }
    try {
      return { ok: true, value: await work(project) };
    } finally {
      void this.#endWhenIdle(key, project, project.end());
    }
  }

  #find(key: string, place: ProjectLocation): Promise<StepResult<OpenProject>> {
    const known = this.#projects.get(key);
    if (known !== undefined) {
      return known;
    }
    if (this.#isClosed) {
      return Promise.resolve({ ok: false, refusal: cancelled });
    }
    const ofOwner = [...this.#projects.keys()].filter((each) => isOfOwner(each, place.owner));
    if (ofOwner.length >= maxProjectsOfOwner) {
      return Promise.resolve({ ok: false, refusal: tooMany });
    }
    const opening = OpenProject.open(place, this.#options);
    this.#projects.set(key, opening);
    void opening.then((opened) => {
      if (!opened.ok) {
        this.#projects.delete(key);
      }
    });
    return opening;
  }

  async #endWhenIdle(key: string, project: OpenProject, used: AbortSignal): Promise<void> {
    // Checked again: a call may have begun since the clock woke us, or another workspace may have taken its place.
    if ((await sleepUnlessAborted(this.#options.clock, idleMs, used)) && !used.aborted) {
      this.#projects.delete(key);
      await project.close();
    }
  }
}

function keyOf({ owner, workingDirectory, roots }: ProjectLocation): string {
  return `${JSON.stringify(owner)} ${JSON.stringify([workingDirectory, roots])}`;
}

function isOfOwner(key: string, owner: string): boolean {
  return key.startsWith(`${JSON.stringify(owner)} `);
}

async function endOf(opened: StepResult<OpenProject>): Promise<void> {
  if (opened.ok) {
    await opened.value.close();
  }
}

function translate(tool: string, args: Readonly<Record<string, unknown>>): TranslatedCall {
  const known = documentedTools.find(({ name }) => name === tool);
  return known === undefined ? { ok: true, tool, arguments: args } : known.translate(args);
}

function withDocumented(tools: readonly ModelTool[]): readonly ModelTool[] {
  const documented = documentedTools.flatMap(({ name, tool, input }) => {
    const ours = tools.find((each) => each.name === tool);
    const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
    return ours === undefined ? [] : [{ ...ours, name, description: `${tool} by another name.`, inputSchema }];
  });
  return [...tools, ...documented];
}

function invalid(message: string): StepRefusal {
  return { code: 'invalid-arguments', message, hint: '', retriable: false };
}

const cancelled: StepRefusal = { code: 'cancelled', message: 'The call was cancelled.', hint: '', retriable: false };

const tooMany: StepRefusal = {
  code: 'failed',
  message: `You already work in ${maxProjectsOfOwner} directories, the maximum.`,
  hint: 'Wait until one of them has not been used for ten minutes.',
  retriable: true,
};

/** A call with our own tool name, or the refusal. */
type TranslatedCall =
  | { readonly ok: true; readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string };

/** A tool with the name and the arguments in the Gemini CLI's documentation. */
type DocumentedTool = {
  readonly name: string;
  /** Our tool that does the same. */
  readonly tool: string;
  readonly input: z.ZodObject;
  readonly translate: (args: Readonly<Record<string, unknown>>) => TranslatedCall;
};

const text = (): z.ZodString => z.string();
const place = (): z.ZodOptional<z.ZodString> => z.string().optional();

/** Parses the arguments with a schema, and passes on those that our tool has. */
function documented<Input extends z.ZodObject>(
  name: string,
  tool: string,
  input: Input,
  toOurs: (args: z.output<Input>) => Readonly<Record<string, unknown>> | string,
): DocumentedTool {
  const translate = (args: Readonly<Record<string, unknown>>): TranslatedCall => {
    const parsed = input.safeParse(args);
    if (!parsed.success) {
      return {
        ok: false,
        message: `Nothing was done: the arguments do not fit ${name}. ${z.prettifyError(parsed.error)}`,
      };
    }
    const ours = toOurs(parsed.data);
    return typeof ours === 'string'
      ? { ok: false, message: ours }
      : { ok: true, tool, arguments: withoutMissing(ours) };
  };
  return { name, tool, input, translate };
}

function withoutMissing(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

const reading: readonly DocumentedTool[] = [
  documented(
    'read_file',
    'view_file',
    z.looseObject({ file_path: text(), start_line: z.int().optional(), end_line: z.int().optional() }),
    ({ file_path, start_line, end_line }) => ({ file_path, start_line, end_line }),
  ),
  documented('list_directory', 'list_files', z.looseObject({ dir_path: text() }), ({ dir_path }) => ({ dir_path })),
  documented('glob', 'list_files', z.looseObject({ pattern: text(), dir_path: place() }), ({ pattern, dir_path }) => ({
    pattern,
    dir_path,
  })),
  documented(
    'grep_search',
    'search_files',
    z.looseObject({
      pattern: text(),
      dir_path: place(),
      include_pattern: place(),
      case_sensitive: z.boolean().optional(),
    }),
    ({ pattern, dir_path, include_pattern: include, case_sensitive: isSensitive }) => ({
      pattern,
      is_regex: true,
      ignore_case: isSensitive !== true,
      dir_path,
      include,
    }),
  ),
];

const changing: readonly DocumentedTool[] = [
  documented(
    'write_file',
    'put_file',
    z.looseObject({ file_path: text(), content: text() }),
    ({ file_path, content }) => ({ file_path, content }),
  ),
  documented(
    'replace',
    'change_file',
    z.looseObject({
      file_path: text(),
      old_string: text(),
      new_string: text(),
      allow_multiple: z.boolean().optional(),
    }),
    ({ file_path, old_string, new_string, allow_multiple }) => ({ file_path, old_string, new_string, allow_multiple }),
  ),
];

const running: readonly DocumentedTool[] = [
  documented(
    'run_shell_command',
    'run_command',
    z.looseObject({ command: text(), dir_path: place(), is_background: z.boolean().optional() }),
    ({ command, dir_path: directory, is_background: isBackground }) => {
      if (isBackground === true) {
        return 'No command was started: is_background is not supported. Call again without it: a command that takes long returns a handle for poll_command.';
      }
      if (directory === undefined) {
        return { command };
      }
      return directory.includes("'")
        ? 'No command was started: dir_path cannot contain a quotation mark. Leave it out, and begin the command with cd and the directory.'
        : { command: `cd '${directory}' && ${command}` };
    },
  ),
];

/** The tools served besides ours. */
const documentedTools: readonly DocumentedTool[] = [...reading, ...changing, ...running];
