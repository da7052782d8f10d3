import type { McpServer } from '../create-mcp-server.ts';
import type { StdioServed, StdioTransportOptions } from './stdio-served.ts';
import { StdioTransport } from './stdio-transport.ts';

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
