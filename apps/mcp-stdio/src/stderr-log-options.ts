import { createRedactor, secretValues } from '@gemini-mcp/adapters-node/startup';
import type { LogLevel, LogOptions } from '@gemini-mcp/server';

/** Logs go to stderr, where every MCP client keeps or shows them; stdout belongs to the protocol. */
export function stderrLogOptions(level: LogLevel): LogOptions {
  // A client that has closed its end of stderr is no reason to stop.
  process.stderr.on('error', () => undefined);
  return { level, redact: createRedactor(secretValues(process.env)), stream: process.stderr };
}
