import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ConversationTurn } from '@gemini-mcp/core';
import type { CliRunDirectory } from '../../cli-run-directory.ts';
import { buildSessionFile } from '../../message/session-history.ts';
import { lentAddress, routeNowhere, sessionServer } from '../../settings/lent-server.ts';
import type { AcpProcess } from '../process/acp-process.ts';
import type { AcpReply } from '../protocol/acp-connection.ts';
import { parseAcpSession } from '../protocol/acp-messages.ts';

/** One conversation inside a warm process. */
export type WarmSession = {
  readonly id: string;
  readonly model: string;
  /** How often it has asked, continuations after tools included. */
  readonly turns: number;
  /** How it finds the tools that its runs lend; null for one that is lent none. */
  readonly lent: WarmToolSession | null;
};

/** What is known of a session that is lent tools. */
export type WarmToolSession = {
  /** Names the address at which it finds them. */
  readonly name: string;
  /** Of the tools that it has been told of. */
  readonly toolsDigest: string;
  /** Of its next request to what lends them. */
  readonly nextNumber: number;
};

export type SessionOpening =
  | { readonly ok: true; readonly session: WarmSession }
  /** `timeout`: the process is not to be trusted any more. */
  | { readonly ok: false; readonly reply: AcpReply | 'timeout' };

export type OpenSessionOptions = {
  readonly process: AcpProcess;
  /** The model that the process was started with. */
  readonly model: string;
  readonly lent: WarmToolSession | null;
  readonly timeoutMs: number;
};

/** Begins a session that knows nothing. Never rejects. */
export async function openSession(options: OpenSessionOptions): Promise<SessionOpening> {
  const { process, model, lent, timeoutMs } = options;
  const wanted = { cwd: process.directory.workspace, mcpServers: serversOf(lent) };
  const reply = await process.inTurn(() => process.request('session/new', wanted, timeoutMs));
  const made = reply !== 'timeout' && reply.ok ? parseAcpSession(reply.result) : 'unreadable';
  return made === 'unreadable'
    ? { ok: false, reply }
    : { ok: true, session: { id: made.sessionId, model, turns: 0, lent } };
}

/**
 * Begins a session in which the turns have been said already. Gemini CLI 0.61.0 reads them from a file of its own store, which
 * we write under a date long past: one of this minute it would overwrite. It repeats each turn as an update, perhaps only after
 * it has answered, and until the last of these an answer could not be told from a repetition.
 *
 * Rejects when the file cannot be written.
 */
export async function loadSession(
  options: OpenSessionOptions & { readonly history: readonly ConversationTurn[] },
): Promise<SessionOpening> {
  const { process, model, lent, timeoutMs, history } = options;
  const session = { id: randomUUID(), model, turns: 0, lent };
  let isLoaded = false;
  try {
    await writeHistory(process, session, history);
    const repeated = process.countRepeated(session.id, history.length);
    const wanted = { sessionId: session.id, cwd: process.directory.workspace, mcpServers: serversOf(lent) };
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
function serversOf(lent: WarmToolSession | null): readonly Readonly<Record<string, unknown>>[] {
  return lent === null ? [] : [sessionServer(lentAddress(lent.name))];
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

/** Removes what the CLI has written down of a session, and the way to lent tools. Never rejects: the rest goes with the process. */
export async function discardSession(process: AcpProcess, session: WarmSession): Promise<void> {
  await discardFiles(process, session);
  await discardToolSession(process, session.lent);
}

async function discardFiles({ directory }: AcpProcess, { id }: WarmSession): Promise<void> {
  const chats = chatsOf(directory);
  const names = await readdir(chats).catch(() => []);
  await removeAll(names.filter((name) => name.endsWith(`-${shortIdOf(id)}.jsonl`)).map((name) => join(chats, name)));
}

/** The address of a session leads to no tools any more. Never rejects. */
export async function discardToolSession({ directory }: AcpProcess, lent: WarmToolSession | null): Promise<void> {
  if (lent !== null) {
    await routeNowhere(directory, lent.name);
  }
}

async function removeAll(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true }).catch(() => undefined)));
}

/** Removes what the CLI writes down when a call fails: the whole conversation. Never rejects. */
export async function discardReports({ directory: { temporary } }: AcpProcess): Promise<void> {
  const names = await readdir(temporary).catch(() => []);
  const reports = names.filter((name) => name.startsWith('gemini-client-error-'));
  await removeAll(reports.map((name) => join(temporary, name)));
}

/** Where the CLI keeps the sessions of a directory: by its name, which is one that it takes as it is. */
function chatsOf({ home, workspace }: CliRunDirectory): string {
  return join(home, '.gemini', 'tmp', basename(workspace), 'chats');
}

/** The CLI names a file by this much of an id. */
function shortIdOf(id: string): string {
  return id.slice(0, 8);
}
