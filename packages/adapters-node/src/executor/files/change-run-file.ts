import { accessSync, constants } from 'node:fs';
import type { ChangeConsent, ChangedFile, StepRefusal, StepResult, WorkMode } from '@gemini-mcp/core';
import {
  judgeChange,
  judgePlace,
  looksSecret,
  notFound,
  readsOnly,
  refused,
  type SeenFiles,
  unifiedDiff,
} from '@gemini-mcp/core/internal';
import { pathOfDescriptor } from '../../files/descriptor-paths.ts';
import { decodeText } from '../../files/text-decoding.ts';
import type { ChangeJournal } from '../journal/change-journal.ts';
import { type ChangePlace, findChangePlace } from './change-place.ts';
import { hashBytes, isSecretPlace, type RunFile, readOpened } from './read-run-file.ts';
import { refuseFault } from './refuse-place.ts';
import { type RunReach, showName } from './run-reach.ts';
import { writeChanged } from './write-changed.ts';

/** What changes are made with. */
export type ChangeTools = {
  readonly reach: RunReach;
  readonly seen: SeenFiles;
  readonly mode: WorkMode;
  readonly journal: ChangeJournal;
};

/** The content that a file is to have. */
export type NewContent = { readonly bytes: Uint8Array; readonly notes: readonly string[] };

export type ChangeRequest = {
  readonly name: string;
  readonly replacesWhole: boolean;
  readonly consent: ChangeConsent | undefined;
  /** What the file is to be; `before` is null where there is none. */
  readonly makeContent: (before: RunFile | null) => StepResult<NewContent>;
};

/** The journal keeps what was there. */
const maxChangedBytes = 10_485_760;

/** Changes a file, or makes it, if everything that guards it allows it. */
export async function changeRunFile(
  tools: ChangeTools,
  request: ChangeRequest,
  signal: AbortSignal,
): Promise<StepResult<ChangedFile>> {
  const { reach, mode } = tools;
  const { name } = request;
  if (mode === 'plan') {
    return refused(readsOnly());
  }
  const found = findChangePlace(reach, name);
  if (!found.ok) {
    return found;
  }
  try {
    return await changePlace(tools, request, found.value, signal);
  } finally {
    found.value.release();
  }
}

async function changePlace(
  tools: ChangeTools,
  request: ChangeRequest,
  place: ChangePlace,
  signal: AbortSignal,
): Promise<StepResult<ChangedFile>> {
  const { reach, seen, mode, journal } = tools;
  const path = reach.display(place.realPath);
  const guarded = judgeGuards(tools, place) ?? judgePresence(tools, request, place);
  const before = guarded === null ? readBefore(place, request.name) : refused(guarded);
  if (!before.ok) {
    return before;
  }
  const beforeHash = before.value === null ? null : hashBytes(before.value.bytes);
  const { replacesWhole, consent } = request;
  const situation = {
    mode,
    path,
    judgement: reach.judge(place.realPath),
    beforeHash,
    seen: seen.find(place.realPath),
    replacesWhole,
    consent,
  };
  // What was changed meanwhile is told before what does not fit it.
  const unseen = judgeChange({ ...situation, judgement: { decision: 'allow' } }, () => '');
  const made = unseen === null ? request.makeContent(before.value) : refused(unseen);
  if (!made.ok) {
    return made;
  }
  const { bytes, notes } = made.value;
  const old = textOrNull(before.value?.bytes);
  const difference = unifiedDiff({ path, before: old, after: textOrNull(bytes) });
  const hash = hashBytes(bytes);
  // All that is written is shown to a user who is asked, also what makes it no text, such as a NUL.
  const toShow = (): string => unifiedDiff({ path, before: old, after: Buffer.from(bytes).toString() }).diff;
  const because =
    judgeChange(situation, toShow) ??
    (await writeChanged({ reach, place, bytes, hash, before: before.value, journal }, signal));
  if (because !== null) {
    return refused(because);
  }
  seen.change(place.realPath, hash, replacesWhole);
  const kind = before.value === null ? 'created' : 'modified';
  const told = [...notes, ...tellLinks(before.value)];
  return { ok: true, value: { path, kind, ...difference, hash, sizeBytes: bytes.length, notes: told } };
}

function tellLinks(before: RunFile | null): readonly string[] {
  const isLinked = before !== null && before.stats.nlink > 1;
  return isLinked ? ['The file had other names (hard links): those keep the old content.'] : [];
}

function judgeGuards({ reach, mode }: ChangeTools, { realPath, opened }: ChangePlace): StepRefusal | null {
  const path = reach.display(realPath);
  const because = judgePlace({ mode, path: showName(path), judgement: reach.judge(realPath) });
  if (because !== null || opened === null) {
    return because;
  }
  if (isSecretPlace(realPath)) {
    return looksSecret(showName(path));
  }
  try {
    // A file that its owner shut against changes is not exchanged for another one.
    accessSync(reach.proof === 'kernel-link' ? pathOfDescriptor(opened.descriptor) : realPath, constants.W_OK);
    return null;
  } catch (error) {
    return refuseFault(path, error);
  }
}

/** Only what is there can be changed in part. */
function judgePresence(
  { seen }: ChangeTools,
  request: ChangeRequest,
  { realPath, opened }: ChangePlace,
): StepRefusal | null {
  if (request.replacesWhole || opened !== null) {
    return null;
  }
  seen.forget(realPath);
  return notFound(showName(request.name));
}

function readBefore({ opened }: ChangePlace, name: string): StepResult<RunFile | null> {
  return opened === null
    ? { ok: true, value: null }
    : readOpened(opened, { name, maxBytes: maxChangedBytes, hint: 'Tools do not change files of that size.' });
}

/** Null for none; for content that is no text a word in its place, so that its diff says so. */
function textOrNull(bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined) {
    return null;
  }
  const decoded = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return decoded.ok ? decoded.text : `(no text: ${bytes.byteLength} bytes)\n`;
}
