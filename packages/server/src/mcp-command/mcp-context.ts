import type { Clock } from '@gemini-mcp/core';
import { escapeName, nearestName, type ServerLogins, type UpstreamServers } from '@gemini-mcp/core/internal';
import type { Approval, UpstreamConfig } from '@gemini-mcp/upstreams';

/** The output of a program, and its exit code. */
export type McpResult = {
  /** For stdout. */
  readonly output: string;
  /** For stderr. */
  readonly note: string;
  readonly exitCode: number;
};

/** One of the files that settings of servers come from. */
export type KnownFile = {
  readonly scope: 'operator' | 'user' | 'project';
  readonly path: string;
  readonly state: 'none' | 'refused' | 'unapproved' | 'read';
  /** Null for a file that does not count. */
  readonly settings: UpstreamConfig | null;
  /** The servers that an unapproved file names; null if it cannot be read. */
  readonly unapproved: readonly string[] | null;
};

type KnownSettings = { readonly merged: UpstreamConfig; readonly files: readonly KnownFile[] };

/** The other servers of the user at the terminal. */
export type ServersAtTerminal = {
  readonly settings: () => Promise<KnownSettings>;
  readonly servers: UpstreamServers;
  /** Connects all, or the one of a name, so that what is listed is how they are now. */
  readonly connect: (server: string | null, signal: AbortSignal) => Promise<void>;
  readonly approve: (approval: Omit<Approval, 'owner'>) => Promise<string | null>;
  readonly logins: ServerLogins;
  /** How a shell starts this program; `gemini-mcp-server` if missing. */
  readonly program?: string | undefined;
  /** Whose servers these are. */
  readonly owner: string;
  /** There are several owners, and none was named: what is approved or logged in to here is for servers that all share. */
  readonly needsPrincipal: boolean;
  /** Ends what was connected. */
  readonly close: () => Promise<void>;
};

/** What the user has approved of projects, by digests of their files. */
export type ProjectApprovals = {
  isApproved(project: { readonly directory: string; readonly digest: string }): Promise<boolean>;
  /** Resolves to null when it is kept, otherwise to why not, for a user. */
  approve(project: { readonly directory: string; readonly digest: string }, nowMs: number): Promise<string | null>;
};

export type McpContext = {
  readonly clock: Clock;
  /** The files that are written, by scope; null where none counts. */
  readonly paths: { readonly user: string | null; readonly project: string | null };
  /** The real path of the project. */
  readonly projectDirectory: string;
  readonly projects: ProjectApprovals;
  readonly open: () => Promise<ServersAtTerminal>;
  /** Where clients of this user keep their settings. */
  readonly clients: ClientSettingsPaths;
  /** Shows a line at once, before the command has ended. */
  readonly say: (line: string) => void;
  /** Lines that the user types, until the signal aborts. */
  readonly typed: (onLine: (line: string) => void, signal: AbortSignal) => void;
};

export type ClientSettingsPaths = {
  readonly home: string;
  readonly currentDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
};

/** It was done: lines for stdout. */
export function done(...lines: readonly string[]): McpResult {
  return { output: joined(lines), note: '', exitCode: 0 };
}

/** It was not done: lines for stderr. */
export function refused(...lines: readonly string[]): McpResult {
  return { output: '', note: joined(lines), exitCode: 1 };
}

/** The same with further lines for stderr, before the others. */
export function noted(result: McpResult, lines: readonly string[]): McpResult {
  return { ...result, note: joined(lines) + result.note };
}

/** Ends a sentence on a name that is not known: with the nearest that is, or else with a hint. */
export function meantBy(name: string, known: readonly string[], hint: string): string {
  const nearest = nearestName(name, known);
  return nearest === null ? hint : `Did you mean ${escapeName(nearest)}?`;
}

/** Why something is not done for a server that each principal has for itself. */
export function whoseServer(name: string): string {
  return `${escapeName(name)} is not shared: each principal has it for itself. --principal <name> says for whom.`;
}

export const seeList = 'mcp list shows those that there are.';

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
