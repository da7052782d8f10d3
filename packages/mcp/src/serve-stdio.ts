import { createMcpServer, type McpServer, type McpServerOptions } from './create-mcp-server.ts';
import { type StdioEnd, StdioTransport, type StdioTransportOptions } from './stdio/stdio-transport.ts';

export type ServeStdioOptions = StdioTransportOptions & {
  readonly server: McpServerOptions;
};

/** How a served connection ended, and what was still under way then. */
export type StdioServed = StdioEnd & {
  /** Resolves when the calls that the end has aborted are over: wait for it, as long as you can, before you exit. Never rejects. */
  readonly callsEnded: Promise<void>;
};

/**
 * Serves one client over a pair of streams until either of them ends or `signal` is aborted. Resolves with how it ended; leaves
 * the exit of the process, and the streams, to its caller.
 */
export function serveStdio(options: ServeStdioOptions, signal: AbortSignal): Promise<StdioServed> {
  return serveOverStdio(createMcpServer(options.server), options, signal);
}

/** As `serveStdio`, for a server that was made already. */
export async function serveOverStdio(
  server: McpServer,
  options: StdioTransportOptions,
  signal: AbortSignal,
): Promise<StdioServed> {
  const transport = new StdioTransport(options);
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
