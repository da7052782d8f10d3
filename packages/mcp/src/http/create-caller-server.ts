import { createMcpServer, type Extend, type McpServer } from '../create-mcp-server.ts';
import type { McpCaller } from './mcp-caller.ts';
import type { McpHttpOptions } from './mcp-http-options.ts';

/** A server for one caller, to whom everything belongs that it is asked for. */
export function createCallerServer(
  options: McpHttpOptions,
  { owner, surface }: Pick<McpCaller, 'owner' | 'surface'>,
  extend: Extend | undefined,
): McpServer {
  return createMcpServer({ ...options, ownerOf: () => owner, surface }, extend);
}
