import { escapeName } from '../context/escape-name.ts';
import { countOf } from '../footer/format-count.ts';
import type { CommandEnd, UnkeptChanges } from '../ports/workspace-steps.ts';
import type { WorkStep } from './work-step.ts';

/** A step on one line, safe to show: `Step 3: run_command npm test → exit 1, 2.1 s`. */
export function stepText({ number, tool, subject, outcome, durationMs }: WorkStep): string {
  const what = `Step ${number}: ${tool} ${escapeName(subject)}`;
  if (outcome === null) {
    return `${what} …`;
  }
  const came = outcome.type === 'done' ? outcome.summary : `refused (${outcome.refusal.code})`;
  const parts = [...(came === '' ? [] : [escapeName(came)]), `${(durationMs / 1_000).toFixed(1)} s`];
  return `${what} → ${parts.join(', ')}`;
}

/** Something that undo does not put back, on one line: `214 files in node_modules`, `.venv/bin/python`. */
export function unkeptText({ path, count }: UnkeptChanges['first'][number]): string {
  return count === 1 ? escapeName(path) : `${countOf(count, 'file')} in ${escapeName(path)}`;
}

/** How a command ended, in a few words; null for one that was still running. */
export function commandEndText(end: CommandEnd | null): string {
  if (end === null) {
    return 'still running';
  }
  return end.type === 'exited' ? `exit ${end.exitCode}` : `stopped (${end.reason})`;
}
