import type { Clock, ProjectToLend, ToolSource } from '@gemini-mcp/core';

/** Makes the tools for a project. They and the grammar of commands are loaded with the first run that needs them. */
export async function lendProject(project: ProjectToLend, clock: Clock): Promise<ToolSource> {
  const { ProjectTools } = await import('@gemini-mcp/tool-host');
  return new ProjectTools({ ...project, clock });
}
