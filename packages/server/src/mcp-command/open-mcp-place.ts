import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { SystemClock } from '@gemini-mcp/adapters-node';
import { FileProjectApprovals } from '@gemini-mcp/adapters-node/internal';
import { homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';
import { createCliFinder } from '../composition/create-cli-finder.ts';
import { createHub, type HubParts, ownerOnThisMachine } from '../hub/create-hub.ts';
import { settingsPlaces } from '../hub/settings-places.ts';
import type { OperableProgram } from '../program/operable-program.ts';
import type { ConfigurationSources } from '../settings/read-configuration.ts';
import type { McpPlace, ServersAtTerminal } from './mcp-place.ts';

export type OpenMcpPlaceOptions = {
  readonly program: OperableProgram;
  readonly sources: ConfigurationSources;
  readonly version: string;
};

/** The other servers as a server with these settings has them. Throws a `ConfigurationError` for a wrong setting. */
export function openMcpPlace({ program, sources, version }: OpenMcpPlaceOptions): McpPlace {
  const { configuration } = program.readSettings(sources);
  const { environment, currentDirectory } = sources;
  const { isOfOneUser } = program;
  const places = settingsPlaces({ configuration, isOfOneUser });
  const pathOf = (scope: 'user' | 'project') => places.find((place) => place.scope === scope)?.path ?? null;
  const clock = new SystemClock();
  return {
    clock,
    paths: { user: pathOf('user'), project: pathOf('project') },
    projectDirectory: realpathSync(configuration.workingDirectory),
    projects: new FileProjectApprovals(configuration.stateDirectory),
    open: async () => {
      const finder = createCliFinder({ configuration, environment });
      return openServers({ configuration, environment, clock, finder, isOfOneUser, version, log: () => undefined });
    },
    clients: {
      home: homeDirectory(environment),
      currentDirectory: realpathSync(currentDirectory),
      environment,
      platform: process.platform,
    },
    say: (line) => process.stderr.write(`${line}\n`),
    typed,
  };
}

/** Somebody waits for it at a terminal. */
const connectWaitMs = 10_000;

function openServers(parts: HubParts): ServersAtTerminal {
  const { hub, settings, logins } = createHub(parts);
  return {
    settings: () => settings.read(),
    servers: hub.of(ownerOnThisMachine),
    connect: async (server, signal) => {
      const loaded = await hub.load();
      await loaded?.connect(ownerOnThisMachine, { server, waitMs: connectWaitMs }, signal);
    },
    approve: (approval) => hub.approve({ ...approval, owner: ownerOnThisMachine }),
    logins,
    owner: ownerOnThisMachine,
    close: () => hub.close(),
  };
}

function typed(onLine: (line: string) => void, signal: AbortSignal): void {
  const lines = createInterface({ input: process.stdin, signal });
  lines.on('line', onLine);
}
