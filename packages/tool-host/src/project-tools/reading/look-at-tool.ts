import type { Workspace } from '@gemini-mcp/core';
import { countOf, escapeName } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { ProjectTool } from '../project-tool.ts';
import { pathArgument } from './path-argument.ts';

/** Makes the tool that shows an image or a PDF. */
export function createLookAtTool({ workspace }: { readonly workspace: Pick<Workspace, 'lookAt'> }): ProjectTool {
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
