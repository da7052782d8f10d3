import { createMcpServer, type McpServer, type McpServerParts } from '../create-mcp-server.ts';
import type { McpCaller, McpHttpOptions } from './mcp-http-options.ts';

/** A server for one caller, who owns everything that it is asked for. */
export function createCallerServer(
  options: McpHttpOptions,
  { owner, surface }: Pick<McpCaller, 'owner' | 'surface'>,
  parts: McpServerParts,
): McpServer {
  return createMcpServer({ ...options, ownerOf: () => owner, surface }, parts);
}
