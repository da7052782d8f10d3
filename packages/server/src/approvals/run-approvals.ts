import { realpathSync } from 'node:fs';
import { SystemClock } from '@gemini-mcp/adapters-node';
import type { ApprovalStore, Clock, LastingApproval } from '@gemini-mcp/core';
import { describeLasting, escapeName, lastingPrefix, ProjectApprovals } from '@gemini-mcp/core/internal';
import { digestOf as sha256 } from '@gemini-mcp/gemini/internal';
import type { ApprovalsMode } from '../command-line/parse-command-line.ts';
import { createApprovalStore, createRecordStore } from '../composition/create-stores.ts';
import type { OperableProgram } from '../program/program.ts';
import { formatJson } from '../sessions/run-sessions.ts';
import type { ConfigurationSources } from '../settings/read-configuration.ts';
import { settingsPlaces, UpstreamConfigFiles } from '../upstreams/upstream-config-files.ts';

/** The output of a program, and its exit code. */
export type ApprovalsResult = {
  /** For stdout. */
  readonly output: string;
  /** For stderr. */
  readonly note: string;
  readonly exitCode: number;
};

type ApprovalsPlace = {
  readonly store: ApprovalStore;
  readonly clock: Clock;
  /** The real path of the directory in which the user is. */
  readonly directory: string;
  /** Resolves to the digest of a server's configuration; null where the settings have no server of that name. */
  readonly digestOf: (server: string) => Promise<string | null>;
};

/** Does what a user at a terminal wants of what is allowed for good. */
export async function runApprovals(
  mode: ApprovalsMode,
  place: ApprovalsPlace,
  signal: AbortSignal,
): Promise<ApprovalsResult> {
  switch (mode.action) {
    case 'list':
      return list(mode.json, await place.store.list(signal));
    case 'revoke': {
      const wasThere = await place.store.revoke(mode.id, signal);
      return wasThere ? told('It is revoked. Runs that go on ask again too.\n') : refused(unknown);
    }
    case 'allow':
      return await allow(mode, place, signal);
    case 'allow-tool':
      return await allowTool(mode, place, signal);
  }
}

const unknown = 'There is no such approval. `approvals list` shows what is allowed.\n';

function list(json: boolean, approvals: readonly LastingApproval[]): ApprovalsResult {
  if (json) {
    return { output: formatJson(approvals), note: '', exitCode: 0 };
  }
  const output = approvals.map(
    (approval) => `${escapeName(approval.id)}  ${timeOf(approval)}  ${describeLasting(approval)}\n`,
  );
  return { output: output.join(''), note: approvals.length === 0 ? 'Nothing is allowed for good.\n' : '', exitCode: 0 };
}

async function allow(
  { words, network }: Extract<ApprovalsMode, { readonly action: 'allow' }>,
  { store, clock, directory }: ApprovalsPlace,
  signal: AbortSignal,
): Promise<ApprovalsResult> {
  const prefix = lastingPrefix(words.map((text) => ({ type: 'literal', text })));
  if (prefix === null) {
    return refused(
      'These words can run anything, or do not say what is run: nothing is allowed for good by them. Name what a program ' +
        'does, such as `approvals allow npm install`.\n',
    );
  }
  if (prefix.length !== words.length) {
    return refused(`An approval covers all commands that begin alike. Give: approvals allow ${prefix.join(' ')}\n`);
  }
  const approval = { directory, allows: { type: 'command', prefix, network }, allowedAtMs: clock.now() } as const;
  const problem = await store.add(approval, signal);
  return problem === null ? told(`Allowed: ${describeLasting(approval)}\n`) : refused(`${problem}\n`);
}

async function allowTool(
  { server, tool }: Extract<ApprovalsMode, { readonly action: 'allow-tool' }>,
  { store, clock, digestOf }: ApprovalsPlace,
  signal: AbortSignal,
): Promise<ApprovalsResult> {
  const digest = await digestOf(server);
  if (digest === null) {
    return refused(
      `There is no server ${escapeName(JSON.stringify(server))}. \`mcp list\` shows those that there are.\n`,
    );
  }
  const allows = { type: 'tool', server, tool, digest } as const;
  const approval = { directory: null, allows, allowedAtMs: clock.now() };
  const problem = await store.add(approval, signal);
  return problem === null
    ? told(`Allowed: ${describeLasting(approval)}, for as long as the settings of the server are as they are now\n`)
    : refused(`${problem}\n`);
}

/** A time that no calendar has comes from a file that was written by hand. */
function timeOf({ allowedAtMs }: LastingApproval): string {
  const time = new Date(allowedAtMs);
  return Number.isNaN(time.getTime()) ? 'at an unknown time' : time.toISOString();
}

function told(note: string): ApprovalsResult {
  return { output: '', note, exitCode: 0 };
}

function refused(note: string): ApprovalsResult {
  return { output: '', note, exitCode: 1 };
}

type OpenedApprovals = ApprovalsPlace & {
  /** What to tell on stderr once the store has been used: lines with their ends. */
  readonly notes: () => string;
};

/** Opens what a server with these settings keeps. Throws a `ConfigurationError` for a wrong setting. */
export function openApprovals(program: OperableProgram, sources: ConfigurationSources): OpenedApprovals {
  const { configuration } = program.readSettings(sources);
  const lines: string[] = [];
  const clock = new SystemClock();
  const records = createRecordStore(configuration, clock, ({ path, reason }) => {
    lines.push(`A record could not be read (${escapeName(reason)}) and was moved to ${escapeName(path)}.\n`);
  });
  const store = createApprovalStore(records, (sentence) => void lines.push(`${escapeName(sentence)}\n`));
  const directory = realpathSync(sources.currentDirectory);
  const servers = new UpstreamConfigFiles({
    places: settingsPlaces({ configuration, isOfOneUser: program.ownerOf === null }),
    approvals: new ProjectApprovals(records, sha256),
  });
  const digestOf = async (server: string): Promise<string | null> => {
    const { merged } = await servers.read();
    return merged.servers.get(server)?.digest ?? null;
  };
  return { store, clock, directory, digestOf, notes: () => lines.join('') };
}
