import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ConversationTurn } from '@gemini-mcp/core';
import type { DirectoryCopy } from '../gemini-cli/directory-copy.ts';
import type { RunDirectory } from '../gemini-cli/run-directory.ts';
import { buildSessionFile } from '../gemini-cli/session-history.ts';
import type { AcpReply } from './acp-connection.ts';
import { parseAcpSession } from './acp-messages.ts';
import type { AcpProcess } from './acp-process.ts';

/** One conversation inside a warm process. */
export type WarmSession = {
  readonly id: string;
  readonly cwd: string;
  /** What the session asks now. */
  readonly model: string;
  /** How often it has asked, continuations after tools included. */
  readonly turns: number;
  /** What its tools see; null where they see nothing. */
  readonly copy: DirectoryCopy | null;
};

export type SessionOpening =
  | { readonly ok: true; readonly session: WarmSession }
  /** `timeout`: the process is not to be trusted any more. */
  | { readonly ok: false; readonly reply: AcpReply | 'timeout' };

export type OpenSessionOptions = {
  readonly process: AcpProcess;
  /** The model that the process was started with. */
  readonly model: string;
  readonly cwd: string;
  readonly copy: DirectoryCopy | null;
  readonly timeoutMs: number;
};

/** Begins a session that knows nothing. Never rejects. */
export async function openSession(options: OpenSessionOptions): Promise<SessionOpening> {
  const { process, model, cwd, copy, timeoutMs } = options;
  const reply = await process.inTurn(() => process.request('session/new', { cwd, mcpServers: [] }, timeoutMs));
  const made = reply !== 'timeout' && reply.ok ? parseAcpSession(reply.result) : 'unreadable';
  return made === 'unreadable'
    ? { ok: false, reply }
    : { ok: true, session: { id: made.sessionId, cwd, model, turns: 0, copy } };
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
  const { process, model, cwd, copy, timeoutMs, history } = options;
  const id = randomUUID();
  const chats = chatsOf(process.directory, cwd);
  await mkdir(chats, { recursive: true, mode: 0o700 });
  await writeFile(join(chats, `session-2020-01-01T00-00-${shortIdOf(id)}.jsonl`), buildSessionFile(history, id), {
    mode: 0o600,
  });
  const repeated = process.countRepeated(id, history.length);
  const wanted = { sessionId: id, cwd, mcpServers: [] };
  const reply = await process.inTurn(() => process.request('session/load', wanted, timeoutMs));
  const isLoaded = reply !== 'timeout' && reply.ok && (await process.within(repeated, timeoutMs));
  process.forget(id);
  if (isLoaded) {
    return { ok: true, session: { id, cwd, model, turns: 0, copy } };
  }
  return { ok: false, reply: reply !== 'timeout' && reply.ok ? 'timeout' : reply };
}

/** Removes what the CLI has written down of a session. Never rejects: the rest goes with the process. */
export async function discardSession({ directory }: AcpProcess, { id, cwd, copy }: WarmSession): Promise<void> {
  const chats = chatsOf(directory, cwd);
  const names = await readdir(chats).catch(() => []);
  const own = names.filter((name) => name.endsWith(`-${shortIdOf(id)}.jsonl`));
  const paths = [...own.map((name) => join(chats, name)), ...(copy === null ? [] : [cwd, join(chats, '..')])];
  await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true }).catch(() => undefined)));
}

/** Removes what the CLI writes down when a call fails: the whole conversation. Never rejects. */
export async function discardReports({ directory: { temporary } }: AcpProcess): Promise<void> {
  const names = await readdir(temporary).catch(() => []);
  const reports = names.filter((name) => name.startsWith('gemini-client-error-'));
  await Promise.all(reports.map((name) => rm(join(temporary, name), { force: true }).catch(() => undefined)));
}

/** Where the CLI keeps the sessions of a directory: by its name, which is one that it takes as it is. */
function chatsOf({ home }: RunDirectory, cwd: string): string {
  return join(home, '.gemini', 'tmp', basename(cwd), 'chats');
}

/** The CLI names a file by this much of an id. */
function shortIdOf(id: string): string {
  return id.slice(0, 8);
}
