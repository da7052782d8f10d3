import { fileURLToPath } from 'node:url';

/**
 * The entry of an MCP server in settings that lists the tool `hang` and never answers a call, heeds neither a signal nor the end of its input, and
 * has started a process of the same kind that has left its group.
 */
export const stubbornServer: { readonly command: string; readonly args: readonly [string] } = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../bin/stubborn-mcp-server.mjs', import.meta.url))],
};
