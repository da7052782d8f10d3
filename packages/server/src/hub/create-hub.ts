import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GeminiCliFinder } from '@gemini-mcp/adapters-node';
import { ContainedServerProcesses } from '@gemini-mcp/adapters-node/internal';
import type { Clock, RecordStore } from '@gemini-mcp/core';
import { ListRecords, PinRecords, type ServerLogins } from '@gemini-mcp/core/internal';
import type { Upstreams } from '@gemini-mcp/hub';
import { reachOfServer, rootsOf } from '../reach/reach.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import type { Environment } from '../settings/setting.ts';
import { digestOf } from './digest-of.ts';
import { type HubMark, type HubSettingsFiles, type HubSettingsRead, openHubSettings } from './hub-settings-files.ts';
import { createLogins, LazyLogins } from './lazy-logins.ts';
import { LazyUpstreams } from './lazy-upstreams.ts';
import { loadHubLibrary } from './load-hub-library.ts';
import { reachServer } from './reach-server.ts';
import { ServerFetch } from './server-fetch.ts';

export type HubParts = HubRootsOptions & {
  readonly environment: Environment;
  readonly clock: Clock;
  /** Keeps lists, pins and logins. */
  readonly records: RecordStore;
  readonly finder: Pick<GeminiCliFinder, 'programs'>;
  readonly version: string;
  /** How a shell starts this server, for users who are told what to type; `gemini-mcp-server` if missing. */
  readonly program?: string | undefined;
  /** Takes a line about another server. */
  readonly log: (line: string) => void;
};

export type CreatedHub = {
  readonly hub: LazyUpstreams;
  readonly logins: ServerLogins;
  readonly settings: HubSettingsFiles;
  readonly mark: HubMark;
  /** The client of a server of one user has named these directories, as real paths: other servers may take them for the user's. */
  readonly nameRoots: (directories: readonly string[]) => void;
};

/** Over stdio, and at the terminal, the user has one hub, whatever the name of the client. No principal has this owner. */
export const ownerOnThisMachine = 'user';

const unloadable = 'What speaks with other servers could not be loaded';

/** The other servers that this process speaks with. Nothing is read or loaded before something is asked of them. */
export function createHub(parts: HubParts): CreatedHub {
  const { environment } = parts;
  const settings = openHubSettings(parts);
  const mark = { id: randomUUID() };
  const roots = new HubRoots(parts);
  const fetching = new ServerFetch(environment);
  const logins = new LazyLogins(
    () => createLogins(parts, { settings, fetch: fetching.fetch, operator: ownerOnThisMachine }),
    ({ owner, server }) => hub.loggedIn(owner, server),
  );
  let telling: Promise<void> | undefined;
  const hub: LazyUpstreams = new LazyUpstreams({
    isNeeded: async () => {
      telling ??= tellMissing(settings, parts.log);
      await telling;
      return await settings.isThere();
    },
    open: () => openHub(parts, { settings, mark, logins, roots }),
    onUnloadable: (error) => parts.log(`${unloadable}: ${error instanceof Error ? error.message : String(error)}`),
    onClosed: async () => {
      await logins.close();
      await fetching.close();
    },
  });
  const nameRoots = (directories: readonly string[]): void => {
    if (roots.name(directories)) {
      hub.rootsChanged(ownerOnThisMachine);
    }
  };
  return { hub, logins, settings, mark, nameRoots };
}

async function tellMissing(settings: HubSettingsFiles, log: (line: string) => void): Promise<void> {
  for (const line of await settings.findMissing().catch(() => [])) {
    log(line);
  }
}

type Means = {
  readonly settings: HubSettingsFiles;
  readonly mark: HubMark;
  readonly logins: LazyLogins;
  readonly roots: HubRoots;
};

async function openHub(parts: HubParts, { settings, mark, logins, roots }: Means): Promise<Upstreams> {
  const { configuration, environment, clock, records, finder, version, log } = parts;
  const { workingDirectory, userDirectory } = configuration;
  const { Upstreams: Loaded, defaultConnectionLimits: limits } = await loadHubLibrary();
  let read: HubSettingsRead = await settings.read();
  const reaching = {
    environment,
    workingDirectory,
    home: dirname(userDirectory),
    mark,
    logins: await logins.load(),
  };
  return new Loaded({
    clock,
    processes: new ContainedServerProcesses({ environment, programPath: finder.programs }),
    limits,
    client: { name: 'gemini-mcp-server', version },
    program: parts.program,
    settings: async () => {
      read = await settings.read();
      return read.merged;
    },
    reach: (server) => reachServer({ ...reaching, ...server, settings: read }),
    roots: (owner) => roots.of(owner),
    keptLists: new ListRecords(records, digestOf),
    keptPins: new PinRecords(records, digestOf),
    log,
  });
}

type HubRootsOptions = {
  readonly configuration: Configuration;
  readonly isOfOneUser: boolean;
  /** Over HTTP: the directories that the operator has given a principal, as real paths; null where it has none of its own. */
  readonly rootsOfOwner?: ((owner: string) => readonly string[] | null) | undefined;
};

/**
 * The directories that other servers may take for those of their owner: where calls of that owner may have files read, and nowhere else. Over
 * HTTP none is told that belongs to the server and not to the principal.
 */
class HubRoots {
  readonly #options: HubRootsOptions;
  #named: readonly string[] = [];

  constructor(options: HubRootsOptions) {
    this.#options = options;
  }

  /** Addresses of directories as they are when it is called; null for an owner who has none, and never will. */
  of(owner: string): (() => Promise<readonly string[]>) | null {
    const { isOfOneUser, rootsOfOwner } = this.#options;
    const own = isOfOneUser ? null : (rootsOfOwner?.(owner) ?? null);
    if (!isOfOneUser && own === null) {
      return null;
    }
    return async () => (own ?? this.#ofUser()).map((path) => pathToFileURL(path).href);
  }

  /** The client has named these directories, real paths, in the place of those before. False where they are the same. */
  name(directories: readonly string[]): boolean {
    const isNew = JSON.stringify(directories) !== JSON.stringify(this.#named);
    this.#named = [...directories];
    return isNew;
  }

  /** What a client names counts where the server has no root of its own. */
  #ofUser(): readonly string[] {
    const { configuration } = this.#options;
    return configuration.noRootBecause === null ? rootsOf(configuration, reachOfServer(configuration)) : this.#named;
  }
}
