import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { SystemClock } from '@gemini-mcp/adapters-node';
import { homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';
import { escapeName, ProjectApprovals } from '@gemini-mcp/core/internal';
import { createCliFinder } from '../composition/create-cli-finder.ts';
import { createRecordStore } from '../composition/create-stores.ts';
import { createHub, type HubParts, ownerOnThisMachine } from '../hub/create-hub.ts';
import { digestOf } from '../hub/digest-of.ts';
import { settingsPlaces } from '../hub/settings-places.ts';
import type { OperableProgram } from '../program/operable-program.ts';
import { ConfigurationError } from '../settings/configuration-error.ts';
import type { ConfigurationSources } from '../settings/read-configuration.ts';
import type { McpPlace, ServersAtTerminal } from './mcp-place.ts';

export type OpenMcpPlaceOptions = {
  readonly program: OperableProgram;
  readonly sources: ConfigurationSources;
  readonly version: string;
  /** Whose servers are meant, by name; null for those of the user at the terminal. */
  readonly principal: string | null;
};

/** The other servers as a server with these settings has them. Rejects with a `ConfigurationError` for a wrong setting or principal. */
export async function openMcpPlace({ program, sources, version, principal }: OpenMcpPlaceOptions): Promise<McpPlace> {
  const { configuration } = program.readSettings(sources);
  const { environment, currentDirectory } = sources;
  const isOfOneUser = program.ownerOf === null;
  const owner = await ownerOf(principal, program, sources);
  const places = settingsPlaces({ configuration, isOfOneUser });
  const pathOf = (scope: 'user' | 'project') => places.find((place) => place.scope === scope)?.path ?? null;
  const clock = new SystemClock();
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const records = createRecordStore(configuration, clock, ({ path, reason }) => {
    say(`A record could not be read (${escapeName(reason)}) and was moved to ${escapeName(path)}.`);
  });
  return {
    clock,
    paths: { user: pathOf('user'), project: pathOf('project') },
    projectDirectory: realpathSync(configuration.workingDirectory),
    projects: new ProjectApprovals(records, digestOf),
    open: async () => {
      const finder = createCliFinder({ configuration, environment });
      const parts = { configuration, environment, clock, records, finder, isOfOneUser, version, log: () => undefined };
      return openServers(parts, { owner, needsPrincipal: !isOfOneUser && principal === null });
    },
    clients: {
      home: homeDirectory(environment),
      currentDirectory: realpathSync(currentDirectory),
      environment,
      platform: process.platform,
    },
    say,
    typed,
  };
}

/** Somebody waits for it at a terminal: for all servers not longer than one looks at a screen, for the one that was named as long as it may take. */
const waitMsForAll = 10_000;
const waitMsForOne = 45_000;

async function ownerOf(
  principal: string | null,
  program: OperableProgram,
  sources: ConfigurationSources,
): Promise<string> {
  if (principal === null) {
    return ownerOnThisMachine;
  }
  if (program.ownerOf === null) {
    throw new ConfigurationError('--principal: this server has one user alone.');
  }
  return await program.ownerOf(principal, sources);
}

type Whose = Pick<ServersAtTerminal, 'owner' | 'needsPrincipal'>;

function openServers(parts: HubParts, whose: Whose): ServersAtTerminal {
  const { owner } = whose;
  const { hub, settings, logins } = createHub(parts);
  return {
    settings: () => settings.read(),
    servers: hub.of(owner),
    connect: async (server, signal) => {
      const loaded = await hub.load();
      await loaded?.connect(owner, { server, waitMs: server === null ? waitMsForAll : waitMsForOne }, signal);
    },
    approve: (approval) => hub.approve({ ...approval, owner }),
    logins,
    ...whose,
    close: () => hub.close(),
  };
}

function typed(onLine: (line: string) => void, signal: AbortSignal): void {
  const lines = createInterface({ input: process.stdin, signal });
  lines.on('line', onLine);
}
