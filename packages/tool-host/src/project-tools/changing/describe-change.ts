import type { ChangedFile } from '@gemini-mcp/core';
import { countOf, escapeName } from '@gemini-mcp/core/internal';
import type { ToolReport } from '../project-tool.ts';
import { strangerText } from '../shown/stranger-text.ts';

/** Longer diffs say nothing that Gemini has not just written. */
const maxDiffCharacters = 4_000;

/** A change that was made, as Gemini is told of it. */
export function describeChange({
  path,
  kind,
  diff,
  addedLines,
  removedLines,
  hash,
  sizeBytes,
  notes,
}: ChangedFile): ToolReport {
  const counts = `+${addedLines} -${removedLines}`;
  const done = kind === 'created' ? 'Created' : 'Changed';
  const header = [`${done} ${escapeName(path)} (${counts} lines, ${countOf(sizeBytes, 'byte')}).`, ...notes].join(' ');
  const shown = diff.length > maxDiffCharacters || kind === 'created' ? '' : `\n${strangerText('diff', diff).fenced}`;
  return {
    ok: true,
    text: `${header}${shown}`,
    data: { path, kind, addedLines, removedLines, hash, sizeBytes, notes },
    summary: counts,
  };
}
