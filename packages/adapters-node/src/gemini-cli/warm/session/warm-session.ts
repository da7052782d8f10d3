import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ConversationTurn } from '@gemini-mcp/core';
import type { CliRunDirectory } from '../../cli-run-directory.ts';
import { buildSessionFile } from '../../message/session-history.ts';
import { routeNowhere, sessionServer, toolServerAddress } from '../../settings/model-tools.ts';
import type { AcpProcess } from '../process/acp-process.ts';
import type { AcpReply } from '../protocol/acp-connection.ts';
import { parseAcpSession } from '../protocol/acp-messages.ts';

/** One conversation inside a warm process. */
export type WarmSession = {
  readonly id: string;
  readonly model: string;
  /** The number of its model requests, continuations after tools included. */
  readonly turns: number;
  /** The address of its tools; null for a session without tools. */
  readonly warmTools: WarmToolSession | null;
};

/** The state of a session with model tools. */
export type WarmToolSession = {
  /** Names the address of its tools. */
  readonly name: string;
  /** A digest of the tools that it has listed. */
  readonly toolsDigest: string;
  /** The number of its next request to the tool endpoint. */
  readonly nextNumber: number;
};

export type SessionOpening =
  | { readonly ok: true; readonly session: WarmSession }
  /** `timeout`: the process is no longer trustworthy. */
  | { readonly ok: false; readonly reply: AcpReply | 'timeout' };

export type OpenSessionOptions = {
  readonly process: AcpProcess;
  /** The model that the process was started with. */
  readonly model: string;
  readonly warmTools: WarmToolSession | null;
  readonly timeoutMs: number;
};

/** Opens an empty session. Never rejects. */
export async function openSession(options: OpenSessionOptions): Promise<SessionOpening> {
  const { process, model, warmTools, timeoutMs } = options;
  const wanted = { cwd: process.directory.workspace, mcpServers: serversOf(warmTools) };
  const reply = await process.inTurn(() => process.request('session/new', wanted, timeoutMs));
  const made = reply !== 'timeout' && reply.ok ? parseAcpSession(reply.result) : 'unreadable';
  return made === 'unreadable'
    ? { ok: false, reply }
    : { ok: true, session: { id: made.sessionId, model, turns: 0, warmTools } };
}

/**
 * Opens a session that already holds the turns. Gemini CLI 0.61.0 reads them from a file of its own store, which we date far in the past:
 * it would overwrite one of the current minute. It replays each turn as an update, perhaps only after its reply, and until the last
 * replay an answer would be indistinguishable from a replay.
 *
 * Rejects if the file cannot be written.
 */
export async function loadSession(
  options: OpenSessionOptions & { readonly history: readonly ConversationTurn[] },
): Promise<SessionOpening> {
  const { process, model, warmTools, timeoutMs, history } = options;
  const session = { id: randomUUID(), model, turns: 0, warmTools };
  let isLoaded = false;
  try {
    await writeHistory(process, session, history);
    const repeated = process.countRepeated(session.id, history.length);
    const wanted = { sessionId: session.id, cwd: process.directory.workspace, mcpServers: serversOf(warmTools) };
    const reply = await process.inTurn(() => process.request('session/load', wanted, timeoutMs));
    isLoaded = reply !== 'timeout' && reply.ok && (await process.within(repeated, timeoutMs));
    if (isLoaded) {
      return { ok: true, session };
    }
    return { ok: false, reply: reply !== 'timeout' && reply.ok ? 'timeout' : reply };
  } finally {
    process.forget(session.id);
    if (!isLoaded) {
      await discardFiles(process, session);
    }
  }
}

/** MCP servers, as parameters of a session. */
function serversOf(warmTools: WarmToolSession | null): readonly Readonly<Record<string, unknown>>[] {
  return warmTools === null ? [] : [sessionServer(toolServerAddress(warmTools.name))];
}

async function writeHistory(
  { directory }: AcpProcess,
  { id }: WarmSession,
  history: readonly ConversationTurn[],
): Promise<void> {
  const chats = chatsOf(directory);
  await mkdir(chats, { recursive: true, mode: 0o700 });
  const path = join(chats, `session-2020-01-01T00-00-${shortIdOf(id)}.jsonl`);
  await writeFile(path, buildSessionFile(history, id), { mode: 0o600 });
}

/** Removes the CLI's file of a session, and the route to its tools. Never rejects: the process removes any rest. */
export async function discardSession(process: AcpProcess, session: WarmSession): Promise<void> {
  await discardFiles(process, session);
  await discardToolSession(process, session.warmTools);
}

async function discardFiles({ directory }: AcpProcess, { id }: WarmSession): Promise<void> {
  const chats = chatsOf(directory);
  const names = await readdir(chats).catch(() => []);
  await removeAll(names.filter((name) => name.endsWith(`-${shortIdOf(id)}.jsonl`)).map((name) => join(chats, name)));
}

/** Removes the target of the session's address. Never rejects. */
export async function discardToolSession({ directory }: AcpProcess, warmTools: WarmToolSession | null): Promise<void> {
  if (warmTools !== null) {
    await routeNowhere(directory, warmTools.name);
  }
}

async function removeAll(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true }).catch(() => undefined)));
}

/** Removes the file that the CLI writes when a call fails: it holds the whole conversation. Never rejects. */
export async function discardReports({ directory: { temporary } }: AcpProcess): Promise<void> {
  const names = await readdir(temporary).catch(() => []);
  const reports = names.filter((name) => name.startsWith('gemini-client-error-'));
  await removeAll(reports.map((name) => join(temporary, name)));
}

/** The CLI's directory for the sessions of a workspace: named after the workspace, a name that the CLI uses unchanged. */
function chatsOf({ home, workspace }: CliRunDirectory): string {
  return join(home, '.gemini', 'tmp', basename(workspace), 'chats');
}

/** The CLI names a file after this prefix of an id. */
function shortIdOf(id: string): string {
  return id.slice(0, 8);
}
