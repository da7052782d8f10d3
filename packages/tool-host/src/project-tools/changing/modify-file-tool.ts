import type { Replacement, StepRefusal } from '@gemini-mcp/core';
import { utf8Length } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { ProjectTool } from '../project-tool.ts';
import { pathArgument } from '../reading/path-argument.ts';
import { makeChange } from './make-change.ts';
import type { ChangingToolOptions } from './put-file-tool.ts';
import { replacementArguments, replacementOf } from './replacement-arguments.ts';

const maxReplacements = 100;

/** Makes the tool that replaces several pieces of a file: all of them or none. */
export function createModifyFileTool({ workspace, askUser }: ChangingToolOptions<'modifyFile'>): ProjectTool {
  const replacement = z.strictObject(replacementArguments());
  const input = z.strictObject({
    file_path: pathArgument('The file.'),
    replacements: z
      .array(replacement)
      .min(1)
      .max(maxReplacements)
      .describe('Made in order, each on what the one before it left: all of them or none.'),
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
  hint: 'Give one replacement at least.',
  retriable: false,
};

function atLeastOne([first, ...others]: readonly Replacement[]): readonly [Replacement, ...Replacement[]] | null {
  return first === undefined ? null : [first, ...others];
}
