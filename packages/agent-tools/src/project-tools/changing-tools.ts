import type { ChangeConsent, ChangedFile, Replacement, StepRefusal, StepResult, Workspace } from '@gemini-mcp/core';
import { countOf, escapeName, utf8Length } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { AskUser, ProjectTool, ToolReport } from './project-tool.ts';
import { pathArgument } from './reading-tools.ts';
import { strangerText } from './stranger-text.ts';

export type ChangingToolsOptions = {
  readonly workspace: Pick<Workspace, 'putFile' | 'modifyFile'>;
  readonly askUser: AskUser;
};

/** Creates the tools that change files: a whole file, one piece of it, or several pieces. */
export function createChangingTools(options: ChangingToolsOptions): readonly ProjectTool[] {
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
