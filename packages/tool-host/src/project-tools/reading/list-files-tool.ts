import type { FileListing, ListedFile, Workspace } from '@gemini-mcp/core';
import { countOf, escapeName } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { ProjectTool, ToolReport } from '../project-tool.ts';
import { strangerText } from '../shown/stranger-text.ts';
import { pathArgument } from './path-argument.ts';

/** Makes the tool that lists a directory, or the files below it that match a pattern. */
export function createListFilesTool({ workspace }: { readonly workspace: Pick<Workspace, 'listFiles'> }): ProjectTool {
  const input = z.strictObject({
    dir_path: pathArgument('The directory; the working directory when it is missing.').default('.'),
    pattern: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('Such as **/*.ts: lists what matches below the directory, instead of its entries.'),
  });
  const tool: ProjectTool<typeof input> = {
    name: 'list_files',
    description: 'Lists the entries of a directory of the project or, with a pattern, the files below it that match.',
    input,
    changes: false,
    takesLong: false,
    subjectOf: ({ dir_path: path, pattern }) => (pattern === undefined ? path : `${path} ${pattern}`),
    run: async ({ dir_path: path, pattern = null }, _, signal) => {
      const listed = await workspace.listFiles({ path, pattern }, signal);
      return listed.ok ? present(path, listed.value) : listed;
    },
  };
  return tool;
}

function present(path: string, { files, isCut }: FileListing): ToolReport {
  const count = countOf(files.length, 'entry').replace(/entrys$/, 'entries');
  const shown = strangerText('entries', files.map(describeEntry).join('\n'));
  const rest = isCut || shown.isCut ? ' There are more: ask with a narrower pattern or directory.' : '';
  return {
    ok: true,
    text: files.length === 0 ? `Nothing found in ${escapeName(path)}.` : `Listed ${count}.${rest}\n${shown.fenced}`,
    data: { path, entries: files.length, isCut: rest !== '' },
    summary: count,
  };
}

function describeEntry({ path, kind, sizeBytes }: ListedFile): string {
  const name = escapeName(path);
  switch (kind) {
    case 'file':
      return `${name} (${countOf(sizeBytes, 'byte')})`;
    case 'directory':
      return `${name}/`;
    default:
      return `${name} (${kind})`;
  }
}
