import type { McpLog, McpLogEntry } from './mcp-log.ts';

/**
 * Logs an error that must not reach the client, and returns what the client is told instead: an id by which the owner of the
 * server finds it in the log. No message, no stack, no path.
 */
export function concealError(entry: Omit<McpLogEntry, 'correlationId'>, log: McpLog): string {
  const correlationId = globalThis.crypto.randomUUID();
  log({ ...entry, correlationId });
  return `Internal error ${correlationId} in gemini-mcp-server. Its log has the details under this id.`;
}
