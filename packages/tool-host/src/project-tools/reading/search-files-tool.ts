import type { FoundLines, Workspace } from '@gemini-mcp/core';
import { countOf, escapeName } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { ProjectTool, ToolReport } from '../project-tool.ts';
import { escapedNote, strangerText } from '../shown/stranger-text.ts';
import { pathArgument } from './path-argument.ts';

/** Makes the tool that looks for text in files. */
export function createSearchFilesTool({
  workspace,
}: {
  readonly workspace: Pick<Workspace, 'searchFiles'>;
}): ProjectTool {
  const input = z.strictObject({
    pattern: z.string().min(1).max(1_000).describe('What to look for, in one line at a time.'),
    is_regex: z.boolean().default(false).describe('Whether the pattern is a regular expression (ECMAScript).'),
    ignore_case: z.boolean().default(false).describe('Whether upper and lower case are the same.'),
    dir_path: pathArgument('Where to look, a directory or a file; the working directory when it is missing.').default(
      '.',
    ),
    include: z.string().min(1).max(1_000).optional().describe('Only files that match, such as **/*.ts.'),
  });
  const tool: ProjectTool<typeof input> = {
    name: 'search_files',
    description: 'Finds lines in the files of the project that hold a text or match a regular expression.',
    input,
    changes: false,
    takesLong: false,
    subjectOf: ({ pattern, dir_path: path }) => (path === '.' ? pattern : `${pattern} in ${path}`),
    run: async ({ pattern, is_regex: isPattern, ignore_case: ignoresCase, dir_path: path, include }, _, signal) => {
      const request = { path, text: pattern, isPattern, ignoresCase, filePattern: include ?? null };
      const found = await workspace.searchFiles(request, signal);
      return found.ok ? present(found.value) : found;
    },
  };
  return tool;
}

function present({ lines, isCut, files, passedOver }: FoundLines): ToolReport {
  const shown = strangerText(
    'lines',
    lines.map(({ path, line, text }) => `${escapeName(path)}:${line}: ${text}`).join('\n'),
  );
  const skipped =
    passedOver === 0 ? '' : ` Passed over ${countOf(passedOver, 'file')} (large, binary, unreadable or secret).`;
  const rest = isCut || shown.isCut ? ' There are more: ask for less.' : '';
  const found = `${countOf(lines.length, 'line')} in ${countOf(files, 'file')} that were read`;
  const header = `Found ${found}.${skipped}${rest}${shown.isEscaped ? escapedNote : ''}`;
  return {
    ok: true,
    text: lines.length === 0 ? header : `${header}\n${shown.fenced}`,
    data: { lines: lines.length, files, passedOver, isCut: rest !== '' },
    summary: countOf(lines.length, 'line'),
  };
}
