import { startProcesses } from '@gemini-mcp/server';
import { watchPrincipals } from './access/tokens/watch-principals.ts';
import type { ServiceOptions } from './create-service.ts';
import { createService } from './create-service.ts';
import { limitConnections, readDescriptorLimit } from './operation/connection-slots.ts';
import { createHttpServer, defaultHttpLimits } from './operation/create-http-server.ts';
import { type Address, listen } from './operation/listen.ts';
import { shutDown } from './operation/shut-down.ts';

export type StartedHttpServer = {
  readonly address: Address;
  /** Ends it: running calls may finish for a while, then they are cancelled. Resolves to whether everything ended in time. */
  readonly shutDown: (hurry: AbortSignal) => Promise<boolean>;
};

/** Composes the server and starts to listen. Rejects with a `ConfigurationError` if that fails. */
export async function startHttpServer(options: ServiceOptions): Promise<StartedHttpServer> {
  const { http, log } = options;
  const service = createService(options);
  const { app, part, drain, readiness, metrics, projectTools } = service;
  const clock = part('clock');
  const server = createHttpServer({
    fetch: app.fetch,
    limits: { ...defaultHttpLimits, maxConnections: connectionsOf(options) },
    log,
    onRefused: metrics.onRefused,
  });
  const address = await listen(server, http);
  // Not before: if another server owns the port, that one serves and has these processes.
  const closeProcesses = startProcesses(options, part);
  const closeRunners = (): Promise<unknown> => Promise.all([closeProcesses(), projectTools.close()]);
  const watching = new AbortController();
  void readiness.watch(watching.signal);
  if (http.principalsFile !== null) {
    void watchPrincipals({ path: http.principalsFile, access: options.access, clock, log }, watching.signal);
  }
  const { callsEnded, abortCalls, endStreams } = service;
  const ending = { server, drain, clock, graceMs: http.shutdownGraceMs, callsEnded, abortCalls, endStreams };
  return {
    address,
    shutDown: (hurry) => {
      watching.abort();
      return shutDown({ ...ending, closeRunners, log }, hurry);
    },
  };
}

function connectionsOf({ configuration, http, log }: ServiceOptions): number {
  const { maxConnections: configured } = http;
  const maxDescriptors = readDescriptorLimit();
  const maxConnections = limitConnections({
    maxConnections: configured,
    maxRunning: configuration.maxRunning,
    maxDescriptors,
  });
  if (maxConnections < configured) {
    log.warn('connections-limited', { maxConnections, configured, maxDescriptors });
  }
  return maxConnections;
}
