import type { Tool } from './tool.ts';

/**
 * The tool that a call names: by its own name, else by one of its other names or by another spelling of its own. Only a tool that
 * declares other names has other spellings, so that those of other servers' tools are unknown to the checks of scopes and here alike.
 */
export function findTool<Named extends Pick<Tool, 'name' | 'otherNames'>>(
  tools: readonly Named[],
  name: string,
): Named | undefined {
  const plain = plainName(name);
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.otherNames?.some((other) => plainName(other) === plain)) ??
    tools.find((tool) => tool.otherNames !== undefined && plainName(tool.name) === plain)
  );
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
