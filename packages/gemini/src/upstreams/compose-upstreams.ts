import { randomUUID } from 'node:crypto';
import type { Environment } from '@gemini-mcp/adapters-node';
import type { Clock, RecordStore } from '@gemini-mcp/core';
import { ListRecords, PinRecords, type ServerLogins, type ServerProcesses } from '@gemini-mcp/core/internal';
import type { ConnectionLimits, Upstreams, UpstreamsOptions } from '@gemini-mcp/upstreams';
import { digestOf } from './digest-of.ts';
import { createLogins, LazyLogins } from './lazy-logins.ts';
import { LazyUpstreams } from './lazy-upstreams.ts';
import { loadUpstreamsLibrary } from './load-upstreams-library.ts';
import { type LoopMark, reachServer } from './reach-server.ts';
import { ServerFetch } from './server-fetch.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

/** Options for the upstream servers of this process. */
export type UpstreamsParts = Required<Pick<UpstreamsOptions, 'client' | 'remedies' | 'roots'>> & {
  readonly settings: UpstreamSettings;
  readonly environment: Environment;
  /** The value of `PWD` in the settings. */
  readonly workingDirectory: string;
  readonly home: string;
  readonly clock: Clock;
  readonly processes: ServerProcesses;
  /** Replaces the default secret stores. */
  readonly limits?: Partial<ConnectionLimits>;
  /** Stores tool lists, pins and logins. */
  readonly records: RecordStore;
  /** Whether logins are encrypted with a key from the keychain. */
  readonly sealsLogins: boolean;
  /** Whether all owners are the user of this machine: then Google's credentials on it are theirs. */
  readonly isOfOneUser: boolean;
  /** Receives a line about an upstream server. */
  readonly log: (line: string) => void;
};

export type ComposedUpstreams = {
  readonly upstreams: LazyUpstreams;
  readonly logins: ServerLogins;
  readonly mark: LoopMark;
};

const unloadable = 'What speaks with other servers could not be loaded';

/** Creates the upstream servers of this process. Reads and loads nothing before the first request. */
export function composeUpstreams(parts: UpstreamsParts): ComposedUpstreams {
  const { settings, environment, log } = parts;
  const mark = { id: randomUUID() };
  const fetching = new ServerFetch(environment);
  const logins = new LazyLogins(
    () => createLogins(parts, fetching.fetch),
    ({ owner, server }) => upstreams.loggedIn(owner, server),
  );
  const upstreams: LazyUpstreams = new LazyUpstreams({
    isNeeded: () => settings.isThere(),
    open: () => openUpstreams(parts, { mark, logins }),
    onUnloadable: (error) => log(`${unloadable}: ${error instanceof Error ? error.message : String(error)}`),
    onClosed: async () => {
      await logins.close();
      await fetching.close();
    },
  });
  return { upstreams, logins, mark };
}

type Means = { readonly mark: LoopMark; readonly logins: LazyLogins };

async function openUpstreams(parts: UpstreamsParts, { mark, logins }: Means): Promise<Upstreams> {
  const { clock, processes, client, remedies, roots, records, log } = parts;
  const { Upstreams: Loaded, defaultConnectionLimits } = await loadUpstreamsLibrary();
  let settings = await parts.settings.read();
  const reaching = { ...parts, mark, logins: await logins.load() };
  return new Loaded({
    ...{ clock, processes, client, remedies, roots, log },
    limits: { ...defaultConnectionLimits, ...parts.limits },
    settings: async () => {
      settings = await parts.settings.read();
      return settings.merged;
    },
    reach: (server) => reachServer({ ...reaching, ...server, settings }),
    upstreamListStore: new ListRecords(records, digestOf),
    toolPinStore: new PinRecords(records, digestOf),
  });
}
