import { secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import type { Jobs, RecordStore } from '@gemini-mcp/core';
import { createRedactor } from '@gemini-mcp/core/internal';
import type { SurfaceSource, ToolOutcome } from '@gemini-mcp/mcp';
import {
  type Configuration,
  createLog,
  findApiAccess,
  findLogin,
  type LogOptions,
  ownerOnThisMachine,
  startProcesses,
} from '@gemini-mcp/server';
import { composeStdioServer } from './composition-root.ts';
import { PARTS, SERVER, SURFACES } from './tokens.ts';

export type StdioServerStart = {
  readonly configuration: Configuration;
  readonly logOptions: LogOptions;
  /** Called whenever the surface may have changed. */
  readonly onChange: () => void;
};

/** A server that is ready for calls. */
export type StartedServer = {
  readonly surface: Pick<SurfaceSource, 'current'>;
  /** Lets jobs go on after the client has gone, until they have ended or the signal is aborted. Never rejects. */
  readonly finishJobs: (signal: AbortSignal) => Promise<void>;
  /** Everything that outlives the process. */
  readonly records: RecordStore;
  readonly jobs: Jobs<ToolOutcome>;
  /** Ends background jobs, warm processes and open connections. Resolves when all have ended. */
  readonly close: () => Promise<void>;
};

/** Composes the server and starts its background work. */
export async function startServer({ configuration, logOptions, onChange }: StdioServerStart): Promise<StartedServer> {
  const { environment: variables, problem } = await findLogin(process.env);
  const log = createLog({ ...logOptions, redact: redactAlso(logOptions.redact, variables) });
  if (problem !== null) {
    log.warn('login-not-read', { message: problem });
  }
  const environment = {
    ...variables,
    ...(configuration.cli === null ? {} : { GEMINI_MCP_CLI: configuration.cli }),
  };
  const onFault = (reason: string): void => log.warn('api-not-asked', { reason });
  const { runner: preference, userDirectory } = configuration;
  const access = findApiAccess({ preference, userDirectory, environment, onFault });
  const container = composeStdioServer({ configuration, environment, api: access, log });
  const { offeredTo } = container.resolve(SERVER);
  const close = startProcesses({ configuration, log }, (name) => container.resolve(PARTS[name]));
  const surface = offeredTo(ownerOnThisMachine).over({ current: container.resolve(SURFACES) });
  surface.onChange?.(onChange);
  const jobs = container.resolve(PARTS.jobs);
  const finishJobs = async (signal: AbortSignal): Promise<void> => {
    if (jobs.lasting > 0) {
      log.info('client-gone', {
        jobs: jobs.lasting,
        message: 'The jobs go on, and their results wait for the next server.',
      });
    }
    // A job may wait on nothing that keeps Node running.
    const awake = setInterval(() => undefined, 60_000);
    await jobs.outliveClients(signal);
    clearInterval(awake);
  };
  return { surface, finishJobs, records: container.resolve(PARTS.records), jobs, close };
}

/** Also hides the stored key, which the log of the start did not have. */
function redactAlso(redact: LogOptions['redact'], environment: NodeJS.ProcessEnv): LogOptions['redact'] {
  const redactLogin = createRedactor(secretValues(environment));
  return (text) => redactLogin(redact(text));
}
