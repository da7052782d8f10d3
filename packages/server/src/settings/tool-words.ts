import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';

const groups: readonly string[] = [...new Set(toolDeclarations.map(({ group }) => group))];

/** By which an operator chooses tools: the groups, then the names of single tools. */
export const toolWords: readonly string[] = [...groups, ...toolDeclarations.map(({ name }) => name)];

/** Each group with its tools, in Markdown. */
export const describedToolGroups: string = groups.map(describeGroup).join(', ');

function describeGroup(group: string): string {
  const tools = toolDeclarations.filter((tool) => tool.group === group);
  return `\`${group}\` (${tools.map(({ name }) => `\`${name}\``).join(', ')})`;
}
