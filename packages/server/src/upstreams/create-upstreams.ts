import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GeminiCliFinder } from '@gemini-mcp/adapters-node';
import { ContainedServerProcesses } from '@gemini-mcp/adapters-node/internal';
import type { Clock, RecordStore } from '@gemini-mcp/core';
import { approveCommand, loginCommand } from '@gemini-mcp/core/internal';
import { type ComposedUpstreams, composeUpstreams, ownerOnThisMachine } from '@gemini-mcp/gemini/internal';
import { fileAccessOfServer, rootsOf } from '../file-access/reach.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import type { SettingsEnvironment } from '../settings/setting.ts';
import { openUpstreamConfig, type UpstreamConfigFiles } from './upstream-config-files.ts';

export type UpstreamParts = UpstreamRootsOptions & {
  readonly environment: SettingsEnvironment;
  readonly clock: Clock;
  /** Stores tool lists and pins. */
  readonly records: RecordStore;
  /** Stores logins, and approvals of projects. */
  readonly localRecords: RecordStore;
  readonly finder: Pick<GeminiCliFinder, 'programs'>;
  readonly version: string;
  /** The shell command of this server for messages to users. Defaults to `gemini-mcp-server`. */
  readonly program?: string | undefined;
  /** Receives a line about an upstream server. */
  readonly log: (line: string) => void;
};

export type CreatedUpstreams = ComposedUpstreams & {
  readonly settings: UpstreamConfigFiles;
  /** Roots named by the client of a single-user server, as real paths. Upstream servers get them as the user's roots. */
  readonly nameRoots: (directories: readonly string[]) => void;
};

/** Creates the upstream servers of the settings files. Reads and loads nothing before the first request. */
export function createUpstreams(parts: UpstreamParts): CreatedUpstreams {
  const { configuration, environment, finder, version, program, log } = parts;
  const { workingDirectory, userDirectory, credentials } = configuration;
  const settings = openUpstreamConfig({ ...parts, records: parts.localRecords });
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
  /** Over HTTP: the directories that the operator gave a principal, as real paths; null for a principal without its own. */
  readonly rootsOfOwner?: ((owner: string) => readonly string[] | null) | undefined;
};

/**
 * The roots that upstream servers get for their owner: only directories whose files the owner's calls may read. Over
 * HTTP they exclude directories that belong to the server and not to the principal.
 */
class UpstreamRoots {
  readonly #options: UpstreamRootsOptions;
  #named: readonly string[] = [];

  constructor(options: UpstreamRootsOptions) {
    this.#options = options;
  }

  /** The current root URIs; null for an owner who will never have roots. */
  of(owner: string): (() => Promise<readonly string[]>) | null {
    const { isOfOneUser, rootsOfOwner } = this.#options;
    const own = isOfOneUser ? null : (rootsOfOwner?.(owner) ?? null);
    if (!isOfOneUser && own === null) {
      return null;
    }
    return async () => (own ?? this.#ofUser()).map((path) => pathToFileURL(path).href);
  }

  /** Replaces the client's roots with these real paths. Returns false if they are the same. */
  name(directories: readonly string[]): boolean {
    const isNew = JSON.stringify(directories) !== JSON.stringify(this.#named);
    this.#named = [...directories];
    return isNew;
  }

  /** A client's roots count only if the server has no root. */
  #ofUser(): readonly string[] {
    const { configuration } = this.#options;
    return configuration.noRootBecause === null
      ? rootsOf(configuration, fileAccessOfServer(configuration))
      : this.#named;
  }
}
