import type { Session, SessionStore, SessionSummary } from '@gemini-mcp/core';
import {
  formatJson,
  formatMarkdown,
  formatSessionList,
  formatTranscript,
  type OwnedSummary,
} from './session-formats.ts';
import type { SessionsMode } from '../command-line/parse-command-line.ts';

/** The output of a program, and its exit code. */
export type SessionsResult = {
  /** For stdout. */
  readonly output: string;
  /** For stderr. */
  readonly note: string;
  readonly exitCode: number;
};

/** More than an owner may have. */
const maxListed = 100_000;

/**
 * Does what somebody at a terminal wants of kept conversations. Those of all owners, because all that is in the state directory
 * belongs to the user of this machine. Rejects with `signal.reason` when aborted.
 */
export async function runSessions(
  mode: SessionsMode,
  store: SessionStore,
  signal: AbortSignal,
): Promise<SessionsResult> {
  const { owner: prefix } = mode;
  const owners = (await store.owners(signal)).filter((owner) => prefix === null || owner.startsWith(prefix));
  switch (mode.action) {
    case 'list':
      return list(mode, await summariesOf(owners, store, signal));
    case 'delete':
      return deleteOne(mode.id, { owners, store }, signal);
    case 'show':
    case 'export': {
      const session = await find(mode.id, { owners, store }, signal);
      return session === null ? unknown : printed(present(mode, session));
    }
  }
}

type Place = {
  readonly owners: readonly string[];
  readonly store: SessionStore;
};

async function summariesOf(
  owners: readonly string[],
  store: SessionStore,
  signal: AbortSignal,
): Promise<readonly OwnedSummary[]> {
  const sessions: OwnedSummary[] = [];
  for (const owner of owners) {
    const ofOwner: readonly SessionSummary[] = await store.list(owner, maxListed, signal);
    sessions.push(...ofOwner.map((summary) => ({ ...summary, owner })));
  }
  return sessions.sort((one, other) => other.updatedAtMs - one.updatedAtMs);
}

function list({ json }: SessionsMode, sessions: readonly OwnedSummary[]): SessionsResult {
  if (json) {
    return printed(formatJson(sessions));
  }
  const note = sessions.length === 0 ? 'No conversations are kept.\n' : '';
  return { output: formatSessionList(sessions), note, exitCode: 0 };
}

async function find(id: string, { owners, store }: Place, signal: AbortSignal): Promise<Session | null> {
  for (const owner of owners) {
    const stored = await store.load(owner, id, signal);
    if (stored !== null) {
      return stored.session;
    }
  }
  return null;
}

function present({ action, json }: SessionsMode, session: Session): string {
  if (json) {
    return formatJson(session);
  }
  return action === 'show' ? formatTranscript(session) : formatMarkdown(session);
}

async function deleteOne(id: string, { owners, store }: Place, signal: AbortSignal): Promise<SessionsResult> {
  for (const owner of owners) {
    const result = await store.delete(owner, id, signal);
    if (result.deleted) {
      return { output: '', note: `The conversation is deleted.\n`, exitCode: 0 };
    }
    if (result.reason === 'unavailable') {
      const note = `The conversation could not be deleted: ${result.detail}. It is as it was.\n`;
      return { output: '', note, exitCode: 1 };
    }
  }
  return unknown;
}

const unknown: SessionsResult = {
  output: '',
  note: 'There is no such conversation. `sessions list` shows those that are kept.\n',
  exitCode: 1,
};

function printed(output: string): SessionsResult {
  return { output, note: '', exitCode: 0 };
}
