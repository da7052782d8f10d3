import { type ServersView, viewServers } from '@gemini-mcp/core/internal';
import { OfferedServers, type ServerChoice } from '@gemini-mcp/mcp/internal';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import type { ServerOptions, ServerParts } from '../composition/server-parts.ts';
import type { Configuration } from '../settings/configuration.ts';
import { loadHubLibrary } from './load-hub-library.ts';

export type OfferParts = Pick<ServerParts, 'hub' | 'answers' | 'clock'> &
  Pick<ServerOptions, 'configuration' | 'isOfOneUser'>;

/** The other servers of one owner, for clients and programs of that owner. */
export type ServersForClients = Pick<OfferedServers, 'over' | 'toolOf'> & {
  /** How they are. */
  readonly readView: (signal: AbortSignal) => Promise<ServersView>;
};

/** What the other servers of each owner offer to clients, as far as the settings say. Nothing of them is loaded before it is asked for. */
export function offerServers(parts: OfferParts): (owner: string) => ServersForClients {
  const byOwner = new Map<string, ServersForClients>();
  return (owner) => {
    const offered = byOwner.get(owner) ?? offerTo(owner, parts);
    byOwner.set(owner, offered);
    return offered;
  };
}

function offerTo(owner: string, parts: OfferParts): ServersForClients {
  const { hub, answers, clock, configuration } = parts;
  const readView = (signal: AbortSignal): Promise<ServersView> => viewOf(owner, parts, signal);
  const offered = new OfferedServers({
    servers: hub.of(owner),
    choice: choiceOf(configuration),
    searchTools: async (options) => (await loadHubLibrary()).searchTools(options),
    readView,
    answers,
    clock,
  });
  return { over: (base) => offered.over(base), toolOf: (server, tool) => offered.toolOf(server, tool), readView };
}

function choiceOf({ offeredServers, offeredAs: form, readOnly }: Configuration): ServerChoice {
  const names: readonly string[] = offeredServers;
  return { names: names.includes('all') ? 'all' : names, form, readOnly };
}

async function viewOf(
  owner: string,
  { hub, clock, isOfOneUser }: OfferParts,
  signal: AbortSignal,
): Promise<ServersView> {
  const servers = await hub.of(owner).list({ waitMs: 0 }, signal);
  // Where several share this server, its files are the operator's.
  const problems = isOfOneUser ? await problemsOf(hub) : [];
  const ownNames = toolDeclarations.map(({ name }) => name);
  return viewServers({ servers, off: [], problems, ownNames, nowMs: clock.now() });
}

async function problemsOf(hub: OfferParts['hub']): Promise<readonly string[]> {
  const loaded = await hub.load();
  if (loaded === null) {
    return [];
  }
  const { describeProblem } = await loadHubLibrary();
  return (await loaded.problems()).map(describeProblem);
}
