import type { McpServerOptions } from '../../../handlers/mcp-server-options.ts';
import type { McpServer } from '../create-mcp-server.ts';
import { createMcpServer } from '../create-mcp-server.ts';
import type { StdioServed, StdioTransportOptions } from './stdio-transport.ts';
import { StdioTransport } from './stdio-transport.ts';

export type ServeStdioOptions = StdioTransportOptions & {
  readonly server: McpServerOptions;
};

/**
 * Serves one client over a pair of streams until either of them ends or `signal` is aborted. Resolves with how it ended; leaves
 * the exit of the process, and the streams, to its caller.
 */
export function serveStdio(options: ServeStdioOptions, signal: AbortSignal): Promise<StdioServed> {
  return serveOverStdio(createMcpServer(options.server), options, signal);
}

/** As `serveStdio`, for a server that exists already. */
export async function serveOverStdio(
  server: McpServer,
  options: StdioTransportOptions,
  signal: AbortSignal,
): Promise<StdioServed> {
  const transport = new StdioTransport({ ...options, page: server.page });
  const close = (): void => void transport.close();
  await server.connect(transport);
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) {
    close();
  }
  const end = await transport.ended;
  signal.removeEventListener('abort', close);
  return { ...end, callsEnded: server.callsEnded() };
}
