import type { LentTool } from '@gemini-mcp/core';
import { escapeControls, type ListedTool, type ServerLists } from '@gemini-mcp/core/internal';
import { fitToolSchema } from '../input-schema/fit-tool-schema.ts';
import { nameTool } from '../name-tool.ts';

/** A tool of a server as it is lent, and the way back. */
export type LentServerTool = {
  readonly lent: LentTool;
  /** Its name with its server. */
  readonly tool: string;
  /** Names of arguments that were changed, with the originals. */
  readonly originals: ReadonlyMap<string, string>;
};

/** As much as the tools of Gemini's own CLI say of themselves, twice. */
const maxDescriptionCharacters = 4_000;

/** Makes tools of a server fit for Gemini. Those that cannot be made fit are left out; of equal ones, the first counts. */
export function lendTools(server: string, { tools }: ServerLists): readonly LentServerTool[] {
  const byName = new Map<string, LentServerTool>();
  for (const tool of tools) {
    const one = lendTool(server, tool);
    if (one !== null && !byName.has(one.lent.name)) {
      byName.set(one.lent.name, one);
    }
  }
  return [...byName.values()];
}

function lendTool(server: string, { name, title, description, inputSchema }: ListedTool): LentServerTool | null {
  const fit = fitToolSchema(inputSchema);
  if (!fit.fits) {
    return null;
  }
  const said = description || title || name;
  const lent: LentTool = {
    name: nameTool({ server, tool: name }, 'gemini'),
    description: escapeControls(said.slice(0, maxDescriptionCharacters)),
    inputSchema: fit.schema,
    // What a server claims of its tools (`readOnlyHint`) grants nothing.
    changes: true,
  };
  return { lent, tool: name, originals: fit.originals };
}
