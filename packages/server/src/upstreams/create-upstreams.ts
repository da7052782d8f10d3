import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GeminiCliFinder } from '@gemini-mcp/adapters-node';
import { ContainedServerProcesses } from '@gemini-mcp/adapters-node/internal';
import type { Clock, RecordStore } from '@gemini-mcp/core';
import { approveCommand, loginCommand } from '@gemini-mcp/core/internal';
import { type ComposedUpstreams, composeUpstreams, ownerOnThisMachine } from '@gemini-mcp/gemini/internal';
import { fileAccessOfServer, rootsOf } from '../file-access/reach.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import type { Environment } from '../settings/setting.ts';
import { openUpstreamConfig, type UpstreamConfigFiles } from './upstream-config-files.ts';

export type UpstreamParts = UpstreamRootsOptions & {
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

export type CreatedUpstreams = ComposedUpstreams & {
  readonly settings: UpstreamConfigFiles;
  /** The client of a server of one user has named these directories, as real paths: other servers may take them for the user's. */
  readonly nameRoots: (directories: readonly string[]) => void;
};

/** The other servers of the settings files. Nothing is read or loaded before something is asked of them. */
export function createUpstreams(parts: UpstreamParts): CreatedUpstreams {
  const { configuration, environment, finder, version, program, log } = parts;
  const { workingDirectory, userDirectory, credentials } = configuration;
  const settings = openUpstreamConfig(parts);
  const roots = new UpstreamRoots(parts);
  let telling: Promise<void> | undefined;
  const composed = composeUpstreams({
    ...parts,
    settings: {
      isThere: async () => {
        telling ??= tellMissing(settings, log);
        await telling;
        return await settings.isThere();
      },
      read: () => settings.read(),
    },
    workingDirectory,
    home: dirname(userDirectory),
    processes: new ContainedServerProcesses({ environment, programPath: finder.programs }),
    client: { name: 'gemini-mcp-server', version },
    remedies: {
      login: (server) => loginCommand(server, program),
      approve: (server) => approveCommand(server, program),
    },
    roots: (owner) => roots.of(owner),
    sealsLogins: credentials === 'keychain',
  });
  const nameRoots = (directories: readonly string[]): void => {
    if (roots.name(directories)) {
      composed.upstreams.rootsChanged(ownerOnThisMachine);
    }
  };
  return { ...composed, settings, nameRoots };
}

async function tellMissing(settings: UpstreamConfigFiles, log: (line: string) => void): Promise<void> {
  for (const line of await settings.findMissing().catch(() => [])) {
    log(line);
  }
}

type UpstreamRootsOptions = {
  readonly configuration: Configuration;
  readonly isOfOneUser: boolean;
  /** Over HTTP: the directories that the operator has given a principal, as real paths; null where it has none of its own. */
  readonly rootsOfOwner?: ((owner: string) => readonly string[] | null) | undefined;
};

/**
 * The directories that other servers may take for those of their owner: where calls of that owner may have files read, and nowhere else. Over
 * HTTP none is told that belongs to the server and not to the principal.
 */
class UpstreamRoots {
  readonly #options: UpstreamRootsOptions;
  #named: readonly string[] = [];

  constructor(options: UpstreamRootsOptions) {
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
    return configuration.noRootBecause === null
      ? rootsOf(configuration, fileAccessOfServer(configuration))
      : this.#named;
  }
}
