import type { Clock } from '@gemini-mcp/core';
import { escapeName, nearestName, type ServerLogins, type UpstreamServers } from '@gemini-mcp/core/internal';
import type { PinApproval, UpstreamConfig } from '@gemini-mcp/upstreams';

/** A program's output and exit code. */
export type McpResult = {
  /** For stdout. */
  readonly output: string;
  /** For stderr. */
  readonly note: string;
  readonly exitCode: number;
};

/** One of the server settings files. */
export type KnownFile = {
  readonly scope: 'operator' | 'user' | 'project';
  readonly path: string;
  readonly state: 'none' | 'refused' | 'unapproved' | 'read';
  /** Null for an ignored file. */
  readonly settings: UpstreamConfig | null;
  /** The servers in an unapproved file; null if unreadable. */
  readonly unapproved: readonly string[] | null;
};

type KnownSettings = { readonly merged: UpstreamConfig; readonly files: readonly KnownFile[] };

/** The upstream servers of the user at the terminal. */
export type ServersAtTerminal = {
  readonly settings: () => Promise<KnownSettings>;
  readonly servers: UpstreamServers;
  /** Connects all servers, or the named one, so that their current state is listed. */
  readonly connect: (server: string | null, signal: AbortSignal) => Promise<void>;
  readonly approve: (approval: Omit<PinApproval, 'owner'>) => Promise<string | null>;
  readonly logins: ServerLogins;
  /** The shell command of this program. Defaults to `gemini-mcp-server`. */
  readonly program?: string | undefined;
  /** The owner of the servers. */
  readonly owner: string;
  /** True if the server has several owners and the command names no owner: approvals and logins then apply to shared servers. */
  readonly needsPrincipal: boolean;
  /** Closes all connections. */
  readonly close: () => Promise<void>;
};

/** The user's approvals of project settings, by digest of the file. */
export type ProjectApprovalsOfCommand = {
  isApproved(project: { readonly directory: string; readonly digest: string }): Promise<boolean>;
  /** Resolves to null if saved, otherwise to the reason, for a user. */
  approve(project: { readonly directory: string; readonly digest: string }, nowMs: number): Promise<string | null>;
};

export type McpContext = {
  readonly clock: Clock;
  /** The files to write, by scope; null if the scope has no file. */
  readonly paths: { readonly user: string | null; readonly project: string | null };
  /** The real path of the project. */
  readonly projectDirectory: string;
  readonly projects: ProjectApprovalsOfCommand;
  readonly open: () => Promise<ServersAtTerminal>;
  /** The settings directories of this user's clients. */
  readonly clients: ClientSettingsPaths;
  /** Shows a line at once, before the command has ended. */
  readonly say: (line: string) => void;
  /** Passes on each line that the user types, until the signal aborts. */
  readonly typed: (onLine: (line: string) => void, signal: AbortSignal) => void;
};

export type ClientSettingsPaths = {
  readonly home: string;
  readonly currentDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
};

/** A success, with lines for stdout. */
export function done(...lines: readonly string[]): McpResult {
  return { output: joined(lines), note: '', exitCode: 0 };
}

/** A refusal, with lines for stderr. */
export function refusedCommand(...lines: readonly string[]): McpResult {
  return { output: '', note: joined(lines), exitCode: 1 };
}

/** Adds lines for stderr before the others. */
export function noted(result: McpResult, lines: readonly string[]): McpResult {
  return { ...result, note: joined(lines) + result.note };
}

/** A suggestion for an unknown name: the nearest known name, or else the hint. */
export function meantBy(name: string, known: readonly string[], hint: string): string {
  const nearest = nearestName(name, known);
  return nearest === null ? hint : `Did you mean ${escapeName(nearest)}?`;
}

/** The refusal for a server that each principal has separately. */
export function whoseServer(name: string): string {
  return `${escapeName(name)} is not shared: each principal has its own. Name the principal with --principal <name>.`;
}

export const seeList = 'List the servers: mcp list';

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
