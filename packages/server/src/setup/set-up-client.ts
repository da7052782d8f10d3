import type { Stats } from 'node:fs';
import { readFile, stat, unlink } from 'node:fs/promises';
import { editTextFile } from '@gemini-mcp/adapters-node/internal';
import { type Entry, readEntry } from '@gemini-mcp/upstreams';
import { isToFillIn } from '../clients/client-form.ts';
import { clientForms } from '../clients/client-forms.ts';
import type { ClientName } from '../clients/client-names.ts';
import { type ClientPlace, clientPlace } from './client-places.ts';
import { digestOfText, type EntryPlan, planEntry, planUndo } from './plan-entry.ts';
import type { SetupContext } from './setup-context.ts';
import type { SetupRecord } from './setup-records.ts';

/** The end of a change of one client's settings. */
export type SetupEnd = {
  readonly client: ClientName;
  readonly file: string;
  readonly type: EntryPlan['type'] | 'restore' | 'remove' | 'gone';
  /** The rest of a sentence that begins with the path; null without a failure. */
  readonly problem: string | null;
  /** The texts before and after; null for a missing file. */
  readonly before: string | null;
  readonly after: string | null;
};

export type SetUpClientOptions = {
  readonly isDryRun: boolean;
  /** Whether an entry of someone else is replaced. */
  readonly replaces: boolean;
};

/** Writes the entry of this server into the settings of a client, or only computes them. Never rejects, unless aborted. */
export async function setUpClient(
  client: ClientName,
  context: SetupContext,
  { isDryRun, replaces }: SetUpClientOptions,
  signal: AbortSignal,
): Promise<SetupEnd> {
  const place = clientPlace(client, context.places);
  const { file, text: before, problem } = await readFirst(place.files);
  const end = { client, file, before, after: before };
  if (problem !== null) {
    return { ...end, type: 'failed', problem: unchanged(problem) };
  }
  const entry = entryOf(client, context);
  const written = await recordOf(client, file, context);
  const options = { place: place.entry, entry, written, replaces };
  const plan = planEntry(before, options);
  if (plan.type === 'failed') {
    return { ...end, type: 'failed', problem: unchanged(plan.problem) };
  }
  if (!('text' in plan)) {
    return { ...end, type: plan.type, problem: null };
  }
  if (isDryRun) {
    return { ...end, type: plan.type, problem: null, after: plan.text };
  }
  const failure = await change(
    { client, file, before, entry, plan, place, written, replan: (text) => planEntry(text, options) },
    context,
    signal,
  );
  return failure === null
    ? { ...end, type: plan.type, problem: null, after: plan.text }
    : { ...end, type: 'failed', problem: failure };
}

/** The entry for the settings, without the values that a reader would have to fill in. */
function entryOf(client: ClientName, { server }: SetupContext): Entry {
  const { env, ...entry } = clientForms[client].entry(server);
  const filled = Object.entries((env ?? {}) as Record<string, string>).filter(([, value]) => !isToFillIn(value));
  return filled.length === 0 ? entry : { ...entry, env: Object.fromEntries(filled) };
}

async function recordOf(client: ClientName, file: string, { records }: SetupContext): Promise<SetupRecord | null> {
  const record = (await records.read()).get(client);
  return record?.file === file ? record : null;
}

type Change = {
  readonly client: ClientName;
  readonly file: string;
  readonly before: string | null;
  readonly entry: Entry;
  readonly plan: Extract<EntryPlan, { readonly text: string }>;
  readonly place: ClientPlace;
  readonly written: SetupRecord | null;
  /** Plans again, if the file has changed in the meantime. */
  readonly replan: (text: string | null) => EntryPlan;
};

/** Resolves to null, or to the reason for a failure. */
async function change(wanted: Change, context: SetupContext, signal: AbortSignal): Promise<string | null> {
  const unsaved = await backUp(wanted);
  if (unsaved !== null) {
    return unchanged(`has no backup: ${unsaved}`);
  }
  const isByCommand = wanted.client === 'claude-code' && (await runOwnCommand(wanted, context, signal));
  const unwritten = isByCommand ? null : await writeEntry(wanted);
  return unwritten === null ? await recordChange(wanted, context) : unchanged(unwritten);
}

/** Whether the settings have our entry already, with a backup of the time before it. */
function isUpdate({ plan, written }: Change): boolean {
  return plan.type === 'update' && written !== null;
}

async function backUp(wanted: Change): Promise<string | null> {
  const { file, before } = wanted;
  return before === null || isUpdate(wanted) ? null : await writeText(backupOf(file), () => before, true);
}

async function writeEntry({ file, before, plan, replan }: Change): Promise<string | null> {
  let isRefused = false;
  const problem = await writeText(file, (text) => {
    const again = text === before ? plan : replan(text);
    isRefused = !('text' in again);
    return 'text' in again ? again.text : null;
  });
  return problem ?? (isRefused ? changedMeanwhile : null);
}

function unchanged(reason: string): string {
  return `${reason}. Nothing was changed there`;
}

const changedMeanwhile = 'was changed by another program at the same time';

async function recordChange(wanted: Change, { records }: SetupContext): Promise<string | null> {
  const { client, file, before, entry, plan, place, written } = wanted;
  const after = await readFile(file, 'utf8');
  const read = readEntry(after, place.entry);
  // If others have changed the file since the backup, it does not have their changes.
  const isBackedUp = !isUpdate(wanted) || digestOfText(before ?? '') === written?.digest;
  const unrecorded = await records.write(client, {
    ...{ file, wanted: entry, entry: read.ok ? (read.entry as Entry) : entry, previous: plan.previous },
    digest: isBackedUp ? digestOfText(after) : '',
    existed: isUpdate(wanted) ? written?.existed === true : before !== null,
  });
  return unrecorded === null ? null : `has the entry, but setup --undo cannot take it back: ${unrecorded}`;
}

/** Claude Code rewrites its settings while it runs, so it is asked to change them. Resolves to whether the entry is there then. */
async function runOwnCommand(
  { file, entry, plan, place }: Change,
  { findProgram, run }: SetupContext,
  signal: AbortSignal,
): Promise<boolean> {
  const claude = await findProgram('claude');
  if (claude === null) {
    return false;
  }
  if (plan.type !== 'add') {
    await run(claude, ['mcp', 'remove', '--scope', 'user', 'gemini'], signal);
  }
  const added = await run(claude, ['mcp', 'add-json', '--scope', 'user', 'gemini', JSON.stringify(entry)], signal);
  const read = readEntry(await readFile(file, 'utf8').catch(() => ''), place.entry);
  return added && read.ok && read.entry !== undefined;
}

/** Takes the entry out of the settings again, or puts back the one before. */
export async function undoClient(
  client: ClientName,
  record: SetupRecord,
  context: SetupContext,
  { isDryRun }: Pick<SetUpClientOptions, 'isDryRun'>,
): Promise<SetupEnd> {
  const { file } = record;
  const { text: before, problem } = await readFirst([file]);
  const end = { client, file, before, after: before };
  if (problem !== null) {
    return { ...end, type: 'failed', problem: unchanged(problem) };
  }
  const backup = await readFile(backupOf(file), 'utf8').catch(() => null);
  const plan = planUndo(before, { place: clientPlace(client, context.places).entry, written: record, backup });
  if (plan.type === 'failed') {
    return { ...end, type: 'failed', problem: unchanged(plan.problem) };
  }
  const after = 'text' in plan ? plan.text : before;
  if (isDryRun || plan.type === 'kept') {
    return { ...end, type: plan.type, problem: null, after };
  }
  const failure = 'text' in plan ? await putBack(file, before, plan.text) : null;
  if (failure !== null) {
    return { ...end, type: 'failed', problem: unchanged(failure) };
  }
  await unlink(backupOf(file)).catch(() => undefined);
  const unrecorded = await context.records.write(client, null);
  return unrecorded === null
    ? { ...end, type: plan.type, problem: null, after }
    : { ...end, type: 'failed', problem: `is as before, but ${unrecorded}`, after };
}

async function putBack(file: string, before: string | null, text: string | null): Promise<string | null> {
  if (text === null) {
    return await unlink(file).then(
      () => null,
      () => 'could not be deleted',
    );
  }
  let isChanged = false;
  const problem = await writeText(file, (there) => {
    isChanged = there !== before;
    return isChanged ? null : text;
  });
  return problem ?? (isChanged ? changedMeanwhile : null);
}

/** The copy of the settings before the last change. */
function backupOf(file: string): string {
  return `${file}.before-gemini-mcp-server`;
}

async function writeText(
  path: string,
  edit: (text: string | null) => string | null,
  isPrivate = false,
): Promise<string | null> {
  const written = await editTextFile({ path, below: null, edit, isPrivate });
  return written.type === 'failed' ? written.reason : null;
}

type FirstText = {
  readonly file: string;
  /** Null if all are missing. */
  readonly text: string | null;
  /** The rest of a sentence that begins with the path. */
  readonly problem: string | null;
};

/** As many as `editTextFile` takes. */
const maxBytes = 20_000_000;

/** Reads the first of the files that exists. */
async function readFirst(files: readonly string[]): Promise<FirstText> {
  for (const file of files) {
    const stats = await stat(file).catch(() => null);
    if (stats !== null) {
      const fault = findFault(stats);
      return { file, ...(fault === null ? await readWhole(file) : { text: null, problem: fault }) };
    }
  }
  return { file: files.at(-1) ?? '', text: null, problem: null };
}

function findFault(stats: Stats): string | null {
  if (!stats.isFile() || stats.size > maxBytes) {
    return stats.isFile() ? `is larger than ${maxBytes} bytes` : 'is not a file';
  }
  if (process.platform !== 'win32' && stats.uid !== process.getuid?.()) {
    return 'belongs to another user';
  }
  return (stats.mode & 0o200) === 0 ? 'is read-only' : null;
}

async function readWhole(file: string): Promise<Omit<FirstText, 'file'>> {
  const bytes = await readFile(file).catch(() => null);
  const text = bytes?.toString('utf8') ?? null;
  const isSame = bytes !== null && text !== null && Buffer.from(text).equals(bytes);
  return isSame ? { text, problem: null } : { text: null, problem: bytes === null ? 'cannot be read' : 'is not UTF-8' };
}
