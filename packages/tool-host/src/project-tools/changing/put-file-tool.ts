import type { Workspace } from '@gemini-mcp/core';
import { utf8Length } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { AskUser } from '../ask-user.ts';
import type { ProjectTool } from '../project-tool.ts';
import { pathArgument } from '../reading/path-argument.ts';
import { makeChange } from './make-change.ts';

export type ChangingToolOptions<Method extends keyof Workspace> = {
  readonly workspace: Pick<Workspace, Method>;
  readonly askUser: AskUser;
};

/** Makes the tool that writes a file whole. */
export function createPutFileTool({ workspace, askUser }: ChangingToolOptions<'putFile'>): ProjectTool {
  const input = z.strictObject({
    file_path: pathArgument('The file. Directories that are missing are made.'),
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
