import { realpathSync } from 'node:fs';
import { SystemClock } from '@gemini-mcp/adapters-node';
import type { ApprovalStore, Clock, LastingApproval } from '@gemini-mcp/core';
import { describeLasting, escapeName, lastingPrefix, ProjectApprovals } from '@gemini-mcp/core/internal';
import { digestOf as sha256 } from '@gemini-mcp/gemini/internal';
import { createApprovalStore, createLocalRecordStore, createRecordStore } from '../composition/create-stores.ts';
import type { ConfigurationSources } from '../settings/read-configuration.ts';
import { settingsPlaces, UpstreamConfigFiles } from '../upstreams/upstream-config-files.ts';
import type { ApprovalsMode } from './parse-command-line.ts';
import type { OperableProgram } from './program.ts';
import { formatJson } from './run-sessions.ts';

/** A program's output and exit code. */
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
  /** The real path of the user's current directory. */
  readonly directory: string;
  /** Resolves to the digest of a server's configuration, or to null if the settings have no server with that name. */
  readonly digestOf: (server: string) => Promise<string | null>;
};

/** Lists, adds and revokes the permanent approvals of a user at a terminal. */
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
      return wasThere ? told('The approval is revoked. Running calls ask again too.\n') : refused(unknown);
    }
    case 'allow':
      return await allow(mode, place, signal);
    case 'allow-tool':
      return await allowTool(mode, place, signal);
  }
}

const unknown = 'No approval has this id. List the approvals: approvals list\n';

function list(json: boolean, approvals: readonly LastingApproval[]): ApprovalsResult {
  if (json) {
    return { output: formatJson(approvals), note: '', exitCode: 0 };
  }
  const output = approvals.map(
    (approval) => `${escapeName(approval.id)}  ${timeOf(approval)}  ${describeLasting(approval)}\n`,
  );
  return {
    output: output.join(''),
    note: approvals.length === 0 ? 'There are no permanent approvals.\n' : '',
    exitCode: 0,
  };
}

async function allow(
  { words, network }: Extract<ApprovalsMode, { readonly action: 'allow' }>,
  { store, clock, directory }: ApprovalsPlace,
  signal: AbortSignal,
): Promise<ApprovalsResult> {
  const prefix = lastingPrefix(words.map((text) => ({ type: 'literal', text })));
  if (prefix === null) {
    return refused(
      'This prefix is too broad to approve permanently: it can run anything, or does not name a program. Add what the program ' +
        'does, such as `approvals allow npm install`.\n',
    );
  }
  if (prefix.length !== words.length) {
    return refused(`An approval covers all commands that share a prefix. Run: approvals allow ${prefix.join(' ')}\n`);
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
    return refused(`No server is named ${escapeName(JSON.stringify(server))}. List the servers: mcp list\n`);
  }
  const allows = { type: 'tool', server, tool, digest } as const;
  const approval = { directory: null, allows, allowedAtMs: clock.now() };
  const problem = await store.add(approval, signal);
  return problem === null
    ? told(`Allowed: ${describeLasting(approval)}, until the settings of the server change\n`)
    : refused(`${problem}\n`);
}

/** A hand-written file may contain a time out of range. */
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
  /** Lines for stderr, each with its line end, to write once the store has been used. */
  readonly notes: () => string;
};

/** Opens the approvals of a server with these settings. Throws a `ConfigurationError` for an invalid setting. */
export function openApprovals(program: OperableProgram, sources: ConfigurationSources): OpenedApprovals {
  const { configuration } = program.readSettings(sources);
  const lines: string[] = [];
  const clock = new SystemClock();
  const onQuarantine = ({ path, reason }: { readonly path: string; readonly reason: string }): void => {
    lines.push(`A record could not be read (${escapeName(reason)}): ${escapeName(path)}\n`);
  };
  const records = createRecordStore(configuration, clock, onQuarantine);
  const store = createApprovalStore(records, (sentence) => void lines.push(`${escapeName(sentence)}\n`));
  const directory = realpathSync(sources.currentDirectory);
  const servers = new UpstreamConfigFiles({
    places: settingsPlaces({ configuration, isOfOneUser: program.ownerOf === null }),
    approvals: new ProjectApprovals(createLocalRecordStore(configuration, clock, onQuarantine), sha256),
  });
  const digestOf = async (server: string): Promise<string | null> => {
    const { merged } = await servers.read();
    return merged.servers.get(server)?.digest ?? null;
  };
  return { store, clock, directory, digestOf, notes: () => lines.join('') };
}
