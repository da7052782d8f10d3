import type { SurfaceSource } from '@gemini-mcp/mcp';
import {
  type Configuration,
  createLog,
  findApiAccess,
  type LogOptions,
  ownerOnThisMachine,
  startProcesses,
} from '@gemini-mcp/server';
import { composeStdioServer } from './composition-root.ts';
import { PARTS, SERVER, SURFACES } from './tokens.ts';

export type ServerStart = {
  readonly configuration: Configuration;
  readonly logOptions: LogOptions;
  /** Called whenever the surface may be another one than before. */
  readonly onChange: () => void;
};

/** A server that is ready for calls. */
export type StartedServer = {
  readonly surface: Pick<SurfaceSource, 'current'>;
  /** Ends the jobs that go on without a call, and the processes and connections that are kept. Resolves when they have ended. */
  readonly close: () => Promise<void>;
};

/** Puts the server together, and starts what runs next to the calls. */
export async function startServer({ configuration, logOptions, onChange }: ServerStart): Promise<StartedServer> {
  const log = createLog(logOptions);
  const environment = {
    ...process.env,
    ...(configuration.cli === null ? {} : { GEMINI_MCP_CLI: configuration.cli }),
  };
  const onFault = (reason: string): void => log.warn('api-not-asked', { reason });
  const { runner: way, userDirectory } = configuration;
  const access = findApiAccess({ way, userDirectory, environment, onFault });
  const container = composeStdioServer({ configuration, environment, api: access, log });
  const { offeredTo } = container.resolve(SERVER);
  const close = startProcesses({ configuration, log }, (name) => container.resolve(PARTS[name]));
  const surface = offeredTo(ownerOnThisMachine).over({ current: container.resolve(SURFACES) });
  surface.onChange?.(onChange);
  return { surface, close };
}
