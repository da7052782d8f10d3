import type { CommandEnd, CommandReport, UnkeptChanges } from '@gemini-mcp/core';
import { commandEndText, countOf, createRedactor, escapeName, unkeptText } from '@gemini-mcp/core/internal';
import type { ToolReport } from '../project-tool.ts';
import { escapedNote, strangerText } from '../shown/stranger-text.ts';

const maxChangesShown = 50;
const maxUnkeptShown = 20;
const maxNameCharacters = 300;

/** What a command prints may come from places that no tool reads, such as the history of the repository. */
const redact = createRedactor([]);
const redactedNote = ' What looks like a key or a password is written as [redacted].';

/** A command that has ended or goes on, as Gemini is told of it. */
export function describeReport(report: CommandReport): ToolReport {
  const { handle, end, output, outputBytes, durationMs, changes, unkept, notes = [] } = report;
  const withoutSecrets = redact(output);
  const shown = strangerText('output', withoutSecrets, 'middle');
  const summary = commandEndText(end);
  const lines = [
    `${summary} after ${secondsOf(durationMs)}.${why(end)}${handle === null || end !== null ? '' : goOn(handle)}${shown.isEscaped ? escapedNote : ''}${withoutSecrets === output ? '' : redactedNote}`,
    ...(output === '' ? ['No output.'] : [shown.fenced]),
    ...(shown.isCut
      ? [`It has printed ${countOf(outputBytes, 'byte')}. To see all, send it to a file and view that.`]
      : []),
    ...changes.slice(0, maxChangesShown).map(({ kind, path }) => `${kind}: ${cut(escapeName(path))}`),
    ...(changes.length > maxChangesShown
      ? [`and ${countOf(changes.length - maxChangesShown, 'more file')} changed`]
      : []),
    ...(unkept === undefined ? [] : [`also changed, and cannot be undone: ${unkeptNames(unkept)}`]),
    ...notes.map(escapeName),
  ];
  const data = {
    ...{ handle, end, outputBytes, durationMs, changes: changes.map(({ kind, path }) => ({ kind, path })) },
    ...{ unkept: unkept ?? null, notes },
  };
  return { ok: true, text: lines.join('\n'), data, summary };
}

/** `214 files in node_modules, .venv/bin/python, and 3 more`. */
function unkeptNames({ count, first }: UnkeptChanges): string {
  const named = first.slice(0, maxUnkeptShown);
  const hidden = count - named.reduce((sum, one) => sum + one.count, 0);
  return [
    ...named.map((one) => cut(unkeptText(one))),
    ...(hidden > 0 ? [`and ${countOf(hidden, 'more file')}`] : []),
  ].join(', ');
}

function cut(name: string): string {
  return name.length > maxNameCharacters ? `${name.slice(0, maxNameCharacters)}…` : name;
}

function goOn(handle: string): string {
  return ` It still runs: call poll_command with handle "${handle}".`;
}

function why(end: CommandEnd | null): string {
  return end?.type === 'stopped' ? ` ${end.detail}` : '';
}

function secondsOf(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)} s`;
}
