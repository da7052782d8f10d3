import type { AuditedArguments, AuditedWork, CommandEnd, WorkAccount } from '@gemini-mcp/core';
import { createRedactor, utf8Length } from '@gemini-mcp/core/internal';
import { digestOf } from '@gemini-mcp/gemini/internal';

/** How much of a call's own words an audit log holds. */
export type AuditWords = {
  /** Whether arguments are written out instead of their digests. */
  readonly isFull: boolean;
  readonly redact: (text: string) => string;
};

/** Longer arguments are a digest even if they should be written out: the log would be as large as all prompts together. */
const maxArgumentCharacters = 32_768;
const maxTextCharacters = 500;
const maxListed = 100;

/** The arguments of a call as the log holds them, without secrets. */
export function auditArguments(args: unknown, words: AuditWords): AuditedArguments {
  const given =
    typeof args === 'object' && args !== null && 'apiKey' in args ? { ...args, apiKey: '[redacted]' } : args;
  return auditJson(JSON.stringify(given) ?? '', words);
}

function auditJson(json: string, { isFull, redact }: AuditWords): AuditedArguments {
  const digest = { sha256: digestOf(json), bytes: utf8Length(json) };
  return isFull && json.length <= maxArgumentCharacters ? { json: redact(json) } : digest;
}

/** The account of a run as the log holds it; null without one. */
export function auditWork(work: WorkAccount | undefined, words: AuditWords): AuditedWork | null {
  if (work === undefined) {
    return null;
  }
  const { runId, mode, changes, commands, calls, refusals, questions } = work;
  const said = (text: string): string => words.redact(text).slice(0, maxTextCharacters);
  const files = changes?.files ?? [];
  const listed = { commands: first(commands.first), calls: first(calls.first), refused: first(refusals.first) };
  const counted = commands.count + calls.count + refusals.count + files.length;
  const shown = Object.values(listed).reduce((sum, { length }) => sum + length, first(files).length);
  return {
    run: runId,
    mode,
    changed:
      changes === null
        ? null
        : first(files).map(({ path, kind, diff }) => ({ path: said(path), kind, diffSha256: digestOf(diff) })),
    commands: listed.commands.map(({ command, end, durationMs }) => ({
      ...{ command: said(command), end: wordsForEnd(end), durationMs },
    })),
    calls: listed.calls.map(({ server, tool, subject, summary, durationMs }) => ({
      ...{ server, tool, durationMs },
      arguments: auditJson(subject, words),
      outcome: summary === '' ? 'done' : summary,
    })),
    refused: listed.refused.map(({ tool, subject, code }) => ({ tool, subject: said(subject), code })),
    asked: first(questions).map(({ about, reason, result }) => ({ about: said(about), reason, answer: result })),
    unlisted: counted - shown,
  };
}

function first<Entry>(entries: readonly Entry[]): readonly Entry[] {
  return entries.slice(0, maxListed);
}

function wordsForEnd(end: CommandEnd | null): string {
  if (end === null) {
    return 'running';
  }
  return end.type === 'exited' ? `exit ${end.exitCode}` : `stopped: ${end.reason}`;
}

/** Words of a log that hides these values and everything with the shape of a key. */
export function auditWordsFor(isFull: boolean, secrets: readonly string[]): AuditWords {
  return { isFull, redact: createRedactor(secrets) };
}
