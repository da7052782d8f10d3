import { RecentlyUsed, type ServersView, type ViewServersOptions, viewServers } from '@gemini-mcp/core/internal';
import { digestOf, loadUpstreamsLibrary } from '@gemini-mcp/gemini/internal';
import { OfferedServers, type ServerChoice } from '@gemini-mcp/mcp/internal';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import { type AuditToolOptions, auditTool } from '../audit/audit-tool.ts';
import type { ServerOptions, ServerParts } from '../composition/server-parts.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import type { CreatedUpstreams } from './create-upstreams.ts';
import { serversOff } from './upstream-config-files.ts';

export type OfferParts = Pick<ServerParts, 'answers' | 'clock'> &
  Pick<ServerOptions, 'configuration' | 'isOfOneUser' | 'program'> & {
    readonly upstreams: CreatedUpstreams['upstreams'];
    readonly upstreamConfig: CreatedUpstreams['settings'];
    /** How calls of their tools are recorded; null if they are not. */
    readonly auditing: AuditToolOptions | null;
  };

/** The upstream servers of one owner, for clients and programs of that owner. */
export type ServersForClients = Pick<OfferedServers, 'over' | 'toolOf'> & {
  /** The status of the servers. */
  readonly readView: (signal: AbortSignal) => Promise<ServersView>;
};

/** Offers the upstream servers of each owner to clients, as far as the settings allow. Loads nothing before the first request. */
export function offerServers(parts: OfferParts): (owner: string) => ServersForClients {
  // An evicted owner who returns is offered the same again.
  const byOwner = new RecentlyUsed<ServersForClients>({ max: maxOwners });
  return (owner) => byOwner.use(owner, () => offerTo(owner, parts));
}

const maxOwners = 100;

function offerTo(owner: string, parts: OfferParts): ServersForClients {
  const { upstreams, answers, clock, configuration, auditing } = parts;
  const readView = (signal: AbortSignal): Promise<ServersView> => viewOf(owner, parts, signal);
  const offered = new OfferedServers({
    servers: upstreams.of(owner),
    choice: choiceOf(configuration),
    searchTools: async (options) => (await loadUpstreamsLibrary()).searchTools(options),
    readView,
    answers,
    clock,
    ...(auditing !== null && { wrap: (tool, server) => auditTool(tool, server, auditing) }),
  });
  return {
    over: (base) => offered.over(base),
    toolOf: (server, tool, signal) => offered.toolOf(server, tool, signal),
    readView,
  };
}

function choiceOf({ offeredServers, offeredAs: form, readOnly }: Configuration): ServerChoice {
  const names: readonly string[] = offeredServers;
  return { names: names.includes('all') ? 'all' : names, form, readOnly };
}

async function viewOf(owner: string, parts: OfferParts, signal: AbortSignal): Promise<ServersView> {
  const { upstreams, clock, isOfOneUser, program } = parts;
  const problem = await upstreams.problem();
  const servers = problem === null ? await upstreams.of(owner).list({ waitMs: 0 }, signal) : [];
  // On a shared server the settings files belong to the operator.
  const told =
    isOfOneUser && problem === null
      ? await readFiles(new Set(servers.map(({ name }) => name)), parts)
      : { off: [], problems: problem === null ? [] : [problem] };
  const ownNames = toolDeclarations.map(({ name }) => name);
  const logsInBy = isOfOneUser ? 'command' : 'request';
  return viewServers({ servers, ...told, ownNames, sha256: digestOf, nowMs: clock.now(), logsInBy, program });
}

/** Findings in the user's files besides the servers in use. */
async function readFiles(
  used: ReadonlySet<string>,
  { upstreamConfig }: OfferParts,
): Promise<Pick<ViewServersOptions, 'off' | 'problems'>> {
  const missing = await upstreamConfig.findMissing();
  if (!(await upstreamConfig.isThere())) {
    return { off: [], problems: missing };
  }
  const { describeProblem } = await loadUpstreamsLibrary();
  const settings = await upstreamConfig.read();
  return { off: serversOff(settings, used), problems: [...missing, ...settings.merged.problems.map(describeProblem)] };
}
