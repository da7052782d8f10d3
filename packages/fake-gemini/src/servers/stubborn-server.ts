import { fileURLToPath } from 'node:url';

/**
 * The configuration entry of an MCP server that lists the tool `hang` and never answers a call, ignores signals and the end of its input,
 * and has started a similar process that has left its group.
 */
export const stubbornServer: { readonly command: string; readonly args: readonly [string] } = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../bin/stubborn-mcp-server.mjs', import.meta.url))],
};
