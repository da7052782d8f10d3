import type { Surface } from '@gemini-mcp/mcp';
import { type Configuration, createLog, createObservers, type LogOptions, startProcesses } from '@gemini-mcp/server';
import { composeServer } from './composition-root.ts';
import { JOBS, SURFACE, WARM_RUNNER } from './tokens.ts';

export type ServerStart = {
  readonly configuration: Configuration;
  readonly logOptions: LogOptions;
};

/** A server that is ready for calls. */
export type StartedServer = {
  readonly surface: Surface;
  /** Ends the jobs that go on without a call, and the processes that are kept running. Resolves when they have ended. */
  readonly close: () => Promise<void>;
};

/** Puts the server together and starts what is to run beside the calls. */
export function startServer({ configuration, logOptions }: ServerStart): StartedServer {
  const log = createLog(logOptions);
  const container = composeServer({
    configuration,
    environment: { ...process.env, ...(configuration.cli === null ? {} : { GEMINI_MCP_CLI: configuration.cli }) },
    observers: createObservers(log),
  });
  const close = startProcesses({
    configuration,
    log,
    warm: container.resolve(WARM_RUNNER),
    jobs: container.resolve(JOBS),
  });
  return { surface: container.resolve(SURFACE), close };
}
