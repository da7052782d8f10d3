import type { Writable } from 'node:stream';
import { secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import { createRedactor } from '@gemini-mcp/core/internal';
import type { LogLevel, LogOptions } from '@gemini-mcp/server';

export type StderrLogSources = {
  readonly level: LogLevel;
  /** MCP clients keep or show stderr; stdout belongs to the protocol. */
  readonly stderr: Writable;
  /** Whose secrets no line may show. */
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** How this process logs. */
export function stderrLogOptions({ level, stderr, environment }: StderrLogSources): LogOptions {
  // A client that has closed its end of stderr is no reason to stop.
  stderr.on('error', () => undefined);
  return { level, redact: createRedactor(secretValues(environment)), stream: stderr };
}
