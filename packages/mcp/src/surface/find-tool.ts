import type { Tool } from './tool.ts';

/**
 * The tool that a call names: by its own name, else by one of its other names or by another spelling of its own. Other names keep their underscores:
 * `geminiChat` is a tool, and a call of it is not one of `chat` where the operator has withheld it. Only a tool that
 * declares other names has other spellings, so that those of other servers' tools are unknown to the checks of scopes and here alike.
 */
export function findTool<Named extends Pick<Tool, 'name' | 'otherNames'>>(
  tools: readonly Named[],
  name: string,
): Named | undefined {
  const plain = plainName(name);
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.otherNames?.includes(name.toLowerCase().replaceAll('-', '_'))) ??
    tools.find((tool) => tool.otherNames !== undefined && plainName(tool.name) === plain)
  );
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
