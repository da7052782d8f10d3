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

export type StdioServerStart = {
  readonly configuration: Configuration;
  readonly logOptions: LogOptions;
  /** Called whenever the surface may have changed. */
  readonly onChange: () => void;
};

/** A server that is ready for calls. */
export type StartedServer = {
  readonly surface: Pick<SurfaceSource, 'current'>;
  /** Ends background jobs, warm processes and open connections. Resolves when all have ended. */
  readonly close: () => Promise<void>;
};

/** Composes the server and starts its background work. */
export async function startServer({ configuration, logOptions, onChange }: StdioServerStart): Promise<StartedServer> {
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
