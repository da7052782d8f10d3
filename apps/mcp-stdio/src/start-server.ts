import type { ClientRootUris, Surface } from '@gemini-mcp/mcp';
import { type Configuration, createLog, createObservers, type LogOptions, startProcesses } from '@gemini-mcp/server';
import { type CompositionOptions, composeReach, composeServer } from './composition-root.ts';
import { surfacesByRoots } from './surfaces-by-roots.ts';
import { CLOCK, JOBS, SURFACE, WARM_RUNNER } from './tokens.ts';

export type ServerStart = {
  readonly configuration: Configuration;
  readonly logOptions: LogOptions;
};

/** A server that is ready for calls. */
export type StartedServer = {
  /** What a client is offered that has named these roots. */
  readonly surfaceFor: (clientRoots: ClientRootUris) => Promise<Surface>;
  /** Ends the jobs that go on without a call, and the processes that are kept running. Resolves when they have ended. */
  readonly close: () => Promise<void>;
};

/** Puts the server together and starts what is to run beside the calls. */
export function startServer({ configuration, logOptions }: ServerStart): StartedServer {
  const log = createLog(logOptions);
  const options: CompositionOptions = {
    configuration,
    environment: { ...process.env, ...(configuration.cli === null ? {} : { GEMINI_MCP_CLI: configuration.cli }) },
    observers: createObservers(log),
  };
  const container = composeServer(options);
  const close = startProcesses({
    configuration,
    log,
    clock: container.resolve(CLOCK),
    warm: container.resolve(WARM_RUNNER),
    jobs: container.resolve(JOBS),
  });
  const surfaceFor = surfacesByRoots({
    configuration,
    ofServer: container.resolve(SURFACE),
    compose: (reach) => composeReach(container, options, reach),
    log,
  });
  return { surfaceFor, close };
}
