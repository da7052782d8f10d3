import { utf8Length } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { ProjectTool } from '../project-tool.ts';
import { pathArgument } from '../reading/path-argument.ts';
import { makeChange } from './make-change.ts';
import type { ChangingToolOptions } from './put-file-tool.ts';
import { replacementArguments, replacementOf } from './replacement-arguments.ts';

/** Makes the tool that replaces one piece of a file. */
export function createChangeFileTool({ workspace, askUser }: ChangingToolOptions<'modifyFile'>): ProjectTool {
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
