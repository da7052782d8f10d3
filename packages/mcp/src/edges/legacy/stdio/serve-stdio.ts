import type { McpServerOptions } from '../../../handlers/mcp-server-options.ts';
import { createMcpServer } from '../create-mcp-server.ts';
import type { StdioServed, StdioTransportOptions } from './stdio-served.ts';
import { serveOverStdio } from './stdio-transport.ts';

export type ServeStdioOptions = StdioTransportOptions & {
  readonly server: McpServerOptions;
};

/**
 * Serves one client over a pair of streams until either of them ends or `signal` is aborted. Resolves with the reason. Leaves the
 * streams open and the process running.
 */
export function serveStdio(options: ServeStdioOptions, signal: AbortSignal): Promise<StdioServed> {
  return serveOverStdio(createMcpServer(options.server), options, signal);
}
