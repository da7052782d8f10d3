import { join } from 'node:path';
import { GeminiCliFinder, SystemClock } from '@gemini-mcp/adapters-node';
import { ContainedServerProcesses } from '@gemini-mcp/adapters-node/internal';
import { listsInMemory, pinsInMemory } from '@gemini-mcp/core/internal';
import {
  defaultConnectionLimits,
  readHubSettings,
  resolveServer,
  Upstreams,
  type UpstreamsOptions,
} from '@gemini-mcp/hub';
import type { Workbench } from '../workbench.ts';
import type { ServerSettings } from './plain-server.ts';

/** A hub with servers of these settings, as contained processes or over HTTP. */
export function openHub(
  workbench: Workbench,
  mcpServers: Readonly<Record<string, ServerSettings | { readonly url: string; readonly type: 'sse' }>>,
  options: Partial<UpstreamsOptions> = {},
): Upstreams {
  const environment = { PATH: process.env['PATH'] ?? '' };
  const { programs: programPath } = new GeminiCliFinder({ environment, runsDirectory: workbench.directory });
  const settings = readHubSettings(JSON.stringify({ mcpServers }), 'settings.json');
  const hub = new Upstreams({
    clock: new SystemClock(),
    processes: new ContainedServerProcesses({ environment, programPath }),
    limits: defaultConnectionLimits,
    client: { name: 'bench', version: '1.0.0' },
    settings: async () => settings,
    reach: async ({ entry }) => {
      const values = { allowed: [], variables: new Map<string, string>(), secretOf: () => null };
      const resolved = resolveServer(entry, { values, baseDirectory: workbench.directory, joinPath: join });
      return resolved.resolved
        ? { isKnown: true, transport: resolved.transport, fetch }
        : { isKnown: false, problem: resolved.problem };
    },
    roots: () => null,
    keptLists: listsInMemory(),
    keptPins: pinsInMemory(),
    log: () => undefined,
    ...options,
  });
  workbench.onClose(() => hub.close());
  return hub;
}
