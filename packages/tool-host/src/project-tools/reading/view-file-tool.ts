import type { Workspace } from '@gemini-mcp/core';
import { countOf, escapeName } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { ProjectTool, ToolReport } from '../project-tool.ts';
import { escapedNote, strangerText } from '../shown/stranger-text.ts';
import { pathArgument } from './path-argument.ts';

const line = (): z.ZodInt => z.int().min(1);

/** Makes the tool that shows a text file, or some lines of it. */
export function createViewFileTool({ workspace }: { readonly workspace: Pick<Workspace, 'viewFile'> }): ProjectTool {
  const input = z.strictObject({
    file_path: pathArgument('The file.'),
    start_line: line().optional().describe('The first line to show, from 1.'),
    end_line: line().optional().describe('The last line to show.'),
  });
  const tool: ProjectTool<typeof input> = {
    name: 'view_file',
    description: 'Shows a text file of the project, or some lines of it. A long file comes in parts.',
    input,
    changes: false,
    takesLong: false,
    subjectOf: ({ file_path: path, start_line: first, end_line: last }) =>
      first === undefined && last === undefined ? path : `${path}:${first ?? 1}-${last ?? ''}`,
    run: async ({ file_path: path, start_line: firstLine, end_line: lastLine }, _, signal) => {
      const lines = { ...(firstLine !== undefined && { firstLine }), ...(lastLine !== undefined && { lastLine }) };
      const viewed = await workspace.viewFile({ path, ...lines }, signal);
      return viewed.ok ? present(viewed.value) : viewed;
    },
  };
  return tool;
}

type Viewed = Extract<Awaited<ReturnType<Workspace['viewFile']>>, { readonly ok: true }>['value'];

function present({ path, text, firstLine, lastLine, totalLines, hash }: Viewed): ToolReport {
  const { fenced, isEscaped } = strangerText('file', text);
  const data = { path, firstLine, lastLine, totalLines, hash };
  const name = escapeName(path);
  if (totalLines === 0) {
    return { ok: true, text: `File ${name} is empty.`, data, summary: 'empty' };
  }
  const more = lastLine < totalLines ? ` To go on: start_line ${lastLine + 1}.` : '';
  const header = `File ${name}, lines ${firstLine}-${lastLine} of ${totalLines}.${more}${isEscaped ? escapedNote : ''}`;
  return { ok: true, text: `${header}\n${fenced}`, data, summary: countOf(lastLine - firstLine + 1, 'line') };
}
