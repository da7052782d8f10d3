import { SystemClock } from '@gemini-mcp/adapters-node';
import type { Session, SessionStore, SessionSummary } from '@gemini-mcp/core';
import { countOf, escapeName, formatCount, quoteStrangers } from '@gemini-mcp/core/internal';
import { createRecordStore, createSessionStore } from '../composition/create-stores.ts';
import type { ConfigurationSources } from '../settings/read-configuration.ts';
import type { SessionsMode } from './parse-command-line.ts';
import type { OperableProgram } from './program.ts';

/** A program's output and exit code. */
export type SessionsResult = {
  /** For stdout. */
  readonly output: string;
  /** For stderr. */
  readonly note: string;
  readonly exitCode: number;
};

/** More than the limit per owner. */
const maxListed = 100_000;

/**
 * Runs a terminal command on stored conversations of all owners, because the whole state directory belongs to the user of this
 * machine. Rejects with `signal.reason` if aborted.
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
  const note = sessions.length === 0 ? 'There are no stored conversations.\n' : '';
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
      const note = `The conversation could not be deleted: ${result.detail}. It is unchanged.\n`;
      return { output: '', note, exitCode: 1 };
    }
  }
  return unknown;
}

const unknown: SessionsResult = {
  output: '',
  note: 'No conversation has this id. List the conversations: sessions list\n',
  exitCode: 1,
};

function printed(output: string): SessionsResult {
  return { output, note: '', exitCode: 0 };
}

type SavedSessions = {
  readonly store: SessionStore;
  /** Lines for stderr, each with its line end, to write once the store has been used. */
  readonly notes: () => string;
};

/** Opens the stored conversations of a server with these settings. Throws a `ConfigurationError` for an invalid setting. */
export function openSavedSessions(program: OperableProgram, sources: ConfigurationSources): SavedSessions {
  const { configuration } = program.readSettings(sources);
  const lines: string[] = [];
  if (configuration.sessionRetentionDays === 0) {
    lines.push(
      'With a retention of 0 days conversations exist only in the memory of a server, so this command finds none.\n',
    );
  }
  const onQuarantine = ({ path, reason }: { readonly path: string; readonly reason: string }): void => {
    lines.push(`A record could not be read (${escapeName(reason)}): ${escapeName(path)}\n`);
  };
  const records = createRecordStore(configuration, new SystemClock(), onQuarantine);
  const store = createSessionStore({ configuration, records });
  return { store, notes: () => lines.join('') };
}

type OwnedSummary = SessionSummary & { readonly owner: string };

/** Enough characters to distinguish owners, which are hashes of 64 characters. */
const shownOwnerCharacters = 12;

/** The latest valid date (ECMA-262, time values). */
const lastTimeMs = 8.64e15;

/** Formats one line for each conversation, with its id and beginning. Safe to show in a terminal. */
function formatSessionList(sessions: readonly OwnedSummary[]): string {
  return sessions.map((session) => `${formatLine(session)}\n`).join('');
}

function formatLine({ id, owner, title, turns, bytes, updatedAtMs }: OwnedSummary): string {
  const size = `${countOf(turns, 'turn')}, ${formatCount(bytes)} bytes`;
  return `${escapeName(id)}  ${timeOf(updatedAtMs)}  owner ${shortOwner(owner)}  ${size}  "${escapeName(title)}"`;
}

/** Formats the whole conversation for a terminal. The texts of both sides are marked, and control characters escaped. */
function formatTranscript(session: Session): string {
  const turns = session.turns.map(
    ({ role, text, atMs }, index) => `${index + 1}. ${speakerOf(role)}, ${timeOf(atMs)}\n${quoteStrangers(text)}\n`,
  );
  return [`Conversation ${escapeName(session.id)}\n${factsOf(session).join('\n')}\n`, ...turns].join('\n');
}

/** Formats the whole conversation as Markdown. Texts are quoted and control characters escaped; JSON has the exact texts. */
function formatMarkdown(session: Session): string {
  const turns = session.turns.map(
    ({ role, text, atMs }, index) =>
      `## ${index + 1}. ${speakerOf(role)}, ${timeOf(atMs)}\n\n${quoteStrangers(text).replaceAll(/^\| ?/gm, '> ')}\n`,
  );
  const facts = factsOf(session).map((fact) => `- ${fact}`);
  return [`# Conversation ${escapeName(session.id)}\n\n${facts.join('\n')}\n`, ...turns].join('\n');
}

/** Formats data as lossless JSON. Terminal control characters become JSON escapes. */
export function formatJson(data: unknown): string {
  const json = JSON.stringify(data, null, 2);
  return `${json.replace(/[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu, escapeUnits)}\n`;
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function factsOf(session: Session): readonly string[] {
  const { owner, model, workingDirectory, systemPrompt, createdAtMs, updatedAtMs, turns } = session;
  return [
    `${countOf(turns.length, 'turn')}, begun ${timeOf(createdAtMs)}, used last ${timeOf(updatedAtMs)}`,
    `owner: ${shortOwner(owner)}`,
    `model: ${model === null ? 'the best available' : escapeName(model)}`,
    ...(workingDirectory === null ? [] : [`directory that Gemini may read: ${escapeName(workingDirectory)}`]),
    ...(systemPrompt === null ? [] : [`system prompt: ${escapeName(systemPrompt)}`]),
  ];
}

function speakerOf(role: 'user' | 'model'): string {
  return role === 'user' ? 'Client' : 'Gemini';
}

function shortOwner(owner: string): string {
  return escapeName(owner.slice(0, shownOwnerCharacters));
}

function timeOf(timeMs: number): string {
  return Math.abs(timeMs) <= lastTimeMs ? new Date(timeMs).toISOString() : 'at an unknown time';
}
