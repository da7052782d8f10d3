import type { FileListing, FoundLines, ListedFile, Workspace } from '@gemini-mcp/core';
import { countOf, escapeName } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { ProjectTool, ToolReport } from './project-tool.ts';
import { escapedNote, strangerText } from './stranger-text.ts';

type ReadingToolsOptions = {
  readonly workspace: Pick<Workspace, 'viewFile' | 'lookAt' | 'listFiles' | 'searchFiles'>;
};

/** Creates the tools that read a project: a file, a medium, a directory, lines in files. */
export function createReadingTools({ workspace }: ReadingToolsOptions): readonly ProjectTool[] {
  return [viewFileTool(workspace), lookAtTool(workspace), listFilesTool(workspace), searchFilesTool(workspace)];
}

const line = (): z.ZodInt => z.int().min(1);

function viewFileTool(workspace: Pick<Workspace, 'viewFile'>): ProjectTool {
  const input = z.strictObject({
    file_path: pathArgument('The file.'),
    start_line: line().optional().describe('The first line to show, from 1.'),
    end_line: line().optional().describe('The last line to show.'),
  });
  const tool: ProjectTool<typeof input> = {
    name: 'view_file',
    description: 'Shows a text file of the project, or some of its lines. A long file comes in parts.',
    input,
    changes: false,
    takesLong: false,
    subjectOf: ({ file_path: path, start_line: first, end_line: last }) =>
      first === undefined && last === undefined ? path : `${path}:${first ?? 1}-${last ?? ''}`,
    run: async ({ file_path: path, start_line: firstLine, end_line: lastLine }, _, signal) => {
      const lines = { ...(firstLine !== undefined && { firstLine }), ...(lastLine !== undefined && { lastLine }) };
      const viewed = await workspace.viewFile({ path, ...lines }, signal);
      return viewed.ok ? presentFile(viewed.value) : viewed;
    },
  };
  return tool;
}

type Viewed = Extract<Awaited<ReturnType<Workspace['viewFile']>>, { readonly ok: true }>['value'];

function presentFile({ path, text, firstLine, lastLine, totalLines, hash }: Viewed): ToolReport {
  const { fenced, isEscaped } = strangerText('file', text);
  const data = { path, firstLine, lastLine, totalLines, hash };
  const name = escapeName(path);
  if (totalLines === 0) {
    return { ok: true, text: `File ${name} is empty.`, data, summary: 'empty' };
  }
  const more = lastLine < totalLines ? ` To continue: start_line ${lastLine + 1}.` : '';
  const header = `File ${name}, lines ${firstLine}-${lastLine} of ${totalLines}.${more}${isEscaped ? escapedNote : ''}`;
  return { ok: true, text: `${header}\n${fenced}`, data, summary: countOf(lastLine - firstLine + 1, 'line') };
}

function lookAtTool(workspace: Pick<Workspace, 'lookAt'>): ProjectTool {
  const input = z.strictObject({ file_path: pathArgument('The file.') });
  const tool: ProjectTool<typeof input> = {
    name: 'look_at',
    description: 'Shows an image, a PDF or a recording of the project.',
    input,
    changes: false,
    takesLong: false,
    subjectOf: ({ file_path: path }) => path,
    run: async ({ file_path: path }, _, signal) => {
      const seen = await workspace.lookAt(path, signal);
      if (!seen.ok) {
        return seen;
      }
      const { mediaType, bytes } = seen.value;
      return {
        ok: true,
        text: `Attached ${escapeName(path)}: ${mediaType}, ${countOf(bytes.length, 'byte')}.`,
        data: { path, mediaType, sizeBytes: bytes.length },
        media: [seen.value],
        summary: mediaType,
      };
    },
  };
  return tool;
}

function listFilesTool(workspace: Pick<Workspace, 'listFiles'>): ProjectTool {
  const input = z.strictObject({
    dir_path: pathArgument('The directory; defaults to the working directory.').default('.'),
    pattern: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('For example **/*.ts: lists the matches below the directory instead of its entries.'),
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
      return listed.ok ? presentListing(path, listed.value) : listed;
    },
  };
  return tool;
}

function presentListing(path: string, { files, isCut }: FileListing): ToolReport {
  const count = countOf(files.length, 'entry').replace(/entrys$/, 'entries');
  const shown = strangerText('entries', files.map(describeEntry).join('\n'));
  const rest = isCut || shown.isCut ? ' There are more: use a narrower pattern or directory.' : '';
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

function searchFilesTool(workspace: Pick<Workspace, 'searchFiles'>): ProjectTool {
  const input = z.strictObject({
    pattern: z.string().min(1).max(1_000).describe('The text to search for, within single lines.'),
    is_regex: z.boolean().default(false).describe('Whether the pattern is a regular expression (ECMAScript).'),
    ignore_case: z.boolean().default(false).describe('Whether to ignore case.'),
    dir_path: pathArgument('The directory or file to search; defaults to the working directory.').default('.'),
    include: z.string().min(1).max(1_000).optional().describe('Only files that match, for example **/*.ts.'),
  });
  const tool: ProjectTool<typeof input> = {
    name: 'search_files',
    description: 'Finds lines in the files of the project that contain a text or match a regular expression.',
    input,
    changes: false,
    takesLong: false,
    subjectOf: ({ pattern, dir_path: path }) => (path === '.' ? pattern : `${pattern} in ${path}`),
    run: async ({ pattern, is_regex: isPattern, ignore_case: ignoresCase, dir_path: path, include }, _, signal) => {
      const request = { path, text: pattern, isPattern, ignoresCase, filePattern: include ?? null };
      const found = await workspace.searchFiles(request, signal);
      return found.ok ? presentFound(found.value) : found;
    },
  };
  return tool;
}

function presentFound({ lines, isCut, files, passedOver }: FoundLines): ToolReport {
  const shown = strangerText(
    'lines',
    lines.map(({ path, line, text }) => `${escapeName(path)}:${line}: ${text}`).join('\n'),
  );
  const skipped =
    passedOver === 0 ? '' : ` Skipped ${countOf(passedOver, 'file')} (large, binary, unreadable or secret).`;
  const rest = isCut || shown.isCut ? ' There are more: narrow the search.' : '';
  const found = `${countOf(lines.length, 'line')} in ${countOf(files, 'file')} that were read`;
  const header = `Found ${found}.${skipped}${rest}${shown.isEscaped ? escapedNote : ''}`;
  return {
    ok: true,
    text: lines.length === 0 ? header : `${header}\n${shown.fenced}`,
    data: { lines: lines.length, files, passedOver, isCut: rest !== '' },
    summary: countOf(lines.length, 'line'),
  };
}

const maxCharacters = 4_096;

/** A path of a file or a directory, checked when it is opened. */
export function pathArgument(description: string): z.ZodString {
  return z.string().min(1).max(maxCharacters).describe(description);
}
