import type { Session, SessionSummary } from '@gemini-mcp/core';
import { countOf, escapeName, formatCount, quoteStrangers } from '@gemini-mcp/core/internal';

export type OwnedSummary = SessionSummary & { readonly owner: string };

/** Enough to tell owners apart: they are hashes of 64 characters. */
const shownOwnerCharacters = 12;

/** Beyond it there is no date (ECMA-262, time values). */
const lastTimeMs = 8.64e15;

/** One line for each conversation, with its id and its beginning. Safe to show in a terminal. */
export function formatSessionList(sessions: readonly OwnedSummary[]): string {
  return sessions.map((session) => `${formatLine(session)}\n`).join('');
}

function formatLine({ id, owner, title, turns, bytes, updatedAtMs }: OwnedSummary): string {
  const size = `${countOf(turns, 'turn')}, ${formatCount(bytes)} bytes`;
  return `${escapeName(id)}  ${timeOf(updatedAtMs)}  owner ${shortOwner(owner)}  ${size}  "${escapeName(title)}"`;
}

/** The whole conversation for a terminal: what either side said is marked, and nothing in it acts on the terminal. */
export function formatTranscript(session: Session): string {
  const turns = session.turns.map(
    ({ role, text, atMs }, index) => `${index + 1}. ${speakerOf(role)}, ${timeOf(atMs)}\n${quoteStrangers(text)}\n`,
  );
  return [`Conversation ${escapeName(session.id)}\n${factsOf(session).join('\n')}\n`, ...turns].join('\n');
}

/** The whole conversation as Markdown. What either side said is quoted, and control characters are escaped: JSON has it exactly. */
export function formatMarkdown(session: Session): string {
  const turns = session.turns.map(
    ({ role, text, atMs }, index) =>
      `## ${index + 1}. ${speakerOf(role)}, ${timeOf(atMs)}\n\n${quoteStrangers(text).replaceAll(/^\| ?/gm, '> ')}\n`,
  );
  const facts = factsOf(session).map((fact) => `- ${fact}`);
  return [`# Conversation ${escapeName(session.id)}\n\n${facts.join('\n')}\n`, ...turns].join('\n');
}

/** Data as JSON with every character. Characters that act on a terminal are written as JSON escapes. */
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
