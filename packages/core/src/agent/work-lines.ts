import type { ApprovalRecord } from '../approvals/step-to-approve.ts';
import type { WorkStep } from '../ports/run-step.ts';
import type { CommandEnd } from '../ports/workspace/command-steps.ts';
import type { RunChanges, UnsavedChanges } from '../ports/workspace/undo.ts';
import { escapeName } from '../text/escape-name.ts';
import { countOf, formatCount } from '../text/format-count.ts';
import type { CalledTool, Counted, RefusedStep, WorkAccount } from './work-account.ts';

const maxEntries = 20;
const maxEntryCharacters = 300;
/** Room for the command that allows a step, with its paths: half a command would be useless. */
const maxCharactersWithCommand = 10_000;

/** The account of a run with tools, for its reader: what it did, and how to undo it, without the diff. */
export function workLines(account: WorkAccount): readonly string[] {
  const { mode, steps, durationMs, tokens, overBudget, notes, changes, runId, questions } = account;
  const hasChanges = changes === null || changes.files.length > 0;
  return [
    `Work: ${mode} mode, ${countOf(steps, 'step')} in ${(durationMs / 1_000).toFixed(1)} s, about ${countOf(tokens, 'token')} read`,
    ...(overBudget === null ? [] : [`Note: ${overBudget}`]),
    ...notes.map((note) => `Note: ${escapeName(note)}`),
    ...changeLines(changes),
    ...listLines('Commands', account.commands, ({ command, end, durationMs: ranMs }) =>
      cut(`${escapeName(command)}: ${commandEndText(end)} after ${(ranMs / 1_000).toFixed(1)} s`),
    ),
    ...listLines('Called', account.calls, (call) => cut(escapeName(describeCall(call)))),
    ...listLines('Refused', account.refusals, (refusal) => escapeName(describeRefusal(refusal))),
    ...listLines('Asked', { first: questions, count: questions.length }, describeQuestion),
    ...(hasChanges && mode !== 'plan' ? [`Undo: gemini_undo with run "${runId}"`] : []),
  ];
}

/** The outcomes of upstream tool calls, one line each, for the notices of an answer. */
export function callLines({
  calls,
  refusals,
  questions,
  overBudget,
  notes,
}: Pick<WorkAccount, 'calls' | 'refusals' | 'questions' | 'overBudget' | 'notes'>): readonly string[] {
  const hidden = calls.count + refusals.count - 2 * maxEntries;
  return [
    ...calls.first.slice(0, maxEntries).map((call) => `Called ${cut(describeCall(call))}`),
    ...refusals.first.slice(0, maxEntries).map((refusal) => `Refused ${describeRefusal(refusal)}`),
    ...(hidden > 0 ? [`There were ${countOf(calls.count, 'call')}, and ${countOf(refusals.count, 'refusal')}.`] : []),
    ...questions.map((question) => `Asked about ${describeQuestion(question)}`),
    ...(overBudget === null ? [] : [overBudget]),
    ...notes,
  ];
}

function describeCall({ server, tool, subject, summary, durationMs }: CalledTool): string {
  return `${tool} of ${server} ${subject}: ${summary === '' ? 'done' : summary} after ${(durationMs / 1_000).toFixed(1)} s`;
}

function describeRefusal({ tool, subject, code, message }: RefusedStep): string {
  const text = `${tool} ${subject}: ${code}. ${message}`;
  return code === 'needs-approval' ? cut(text, maxCharactersWithCommand) : cut(text);
}

const results: Readonly<Record<ApprovalRecord['result'], string>> = {
  once: 'allowed once',
  run: 'allowed for the run',
  server: 'allowed for the run, with all tools of its server',
  always: 'allowed for good',
  'lasting-approval': 'allowed for good before',
  no: 'not allowed',
  dismissed: 'closed without an answer',
  'timed-out': 'no answer in time',
  'invalid-answer': 'the client gave an answer that was not offered',
  cancelled: 'withdrawn',
  failed: 'the client failed',
  'cannot-ask': 'could not be asked',
  'too-many-questions': 'not asked, after too many questions',
};

function describeQuestion({ about, result, note }: ApprovalRecord): string {
  const text = `${about}: ${results[result]}${note === '' ? '' : `. ${escapeName(note)}`}`;
  return cut(text, maxCharactersWithCommand);
}

function changeLines(changes: RunChanges | null): readonly string[] {
  if (changes === null) {
    return ['Changed: not determined in time'];
  }
  const { files } = changes;
  const added = files.reduce((sum, { addedLines }) => sum + addedLines, 0);
  const removed = files.reduce((sum, { removedLines }) => sum + removedLines, 0);
  const total = `${countOf(files.length, 'file')}, +${formatCount(added)} -${formatCount(removed)} lines`;
  return [
    ...listLines(
      'Changed',
      { first: files, count: files.length },
      ({ path, kind, addedLines, removedLines }) =>
        cut(`${escapeName(path)}: ${kind}, +${formatCount(addedLines)} -${formatCount(removedLines)}`),
      total,
    ),
    ...unsavedLines(changes.unkept),
  ];
}

function unsavedLines(unkept: RunChanges['unkept']): readonly string[] {
  if (unkept === null) {
    return [];
  }
  const { count } = unkept;
  const first = unkept.first.slice(0, maxEntries);
  const shown = first.map((one) => `  - ${cut(unsavedText(one))}`);
  const hidden = count - first.reduce((sum, one) => sum + one.count, 0);
  return [
    `Also changed, cannot be undone: ${formatCount(count)}`,
    ...shown,
    ...(hidden > 0 ? [`  - and ${formatCount(hidden)} more`] : []),
  ];
}

function listLines<Entry>(
  title: string,
  { first, count }: Counted<Entry>,
  describe: (entry: Entry) => string,
  total: string = formatCount(count),
): readonly string[] {
  if (count === 0) {
    return [];
  }
  const shown = first.slice(0, maxEntries).map((entry) => `  - ${describe(entry)}`);
  const hidden = count - shown.length;
  return [`${title}: ${total}`, ...shown, ...(hidden > 0 ? [`  - and ${formatCount(hidden)} more`] : [])];
}

function cut(text: string, max: number = maxEntryCharacters): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

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

/** A change that undo does not restore, on one line: `214 files in node_modules`, `.venv/bin/python`. */
export function unsavedText({ path, count }: UnsavedChanges['first'][number]): string {
  return count === 1 ? escapeName(path) : `${countOf(count, 'file')} in ${escapeName(path)}`;
}

/** How a command ended, as a short phrase; `still running` for null. */
export function commandEndText(end: CommandEnd | null): string {
  if (end === null) {
    return 'still running';
  }
  return end.type === 'exited' ? `exit ${end.exitCode}` : `stopped (${end.reason})`;
}
