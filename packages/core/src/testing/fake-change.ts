import { unifiedDiff } from '../edits/unified-diff.ts';
import type { ChangeConsent, ChangedFile } from '../ports/workspace/file-steps.ts';
import type { StepResult } from '../ports/workspace/step-result.ts';
import { judgeChange } from '../workspace/judge-change.ts';
import type { SeenFiles } from '../workspace/seen-files.ts';
import { refused } from '../workspace/step-refusals.ts';
import type { FakeFiles } from './fake-files.ts';
import type { FakeWorkspaceParts } from './fake-workspace.ts';
import { fromUtf8, sha256 } from './sha256.ts';

export type FakeChange = {
  readonly place: string;
  readonly after: Uint8Array;
  readonly replacesWhole: boolean;
  readonly consent: ChangeConsent | undefined;
  readonly notes: readonly string[];
};

/** Makes an allowed change, and records in `seen` the content hash that the run now knows. */
export function changeFake(
  { files, paths, journal, mode }: FakeWorkspaceParts,
  seen: SeenFiles,
  { place, after, replacesWhole, consent, notes }: FakeChange,
): StepResult<ChangedFile> {
  const before = files.read(place);
  const path = paths.show(place);
  const situation = { mode, path, judgement: paths.judge(place), replacesWhole, consent };
  const beforeHash = before === null ? null : sha256(before);
  const texts = { path, before: before === null ? null : (fromUtf8(before) ?? ''), after: fromUtf8(after) };
  const because = judgeChange({ ...situation, beforeHash, seen: seen.find(place) }, () => unifiedDiff(texts).diff);
  if (because !== null) {
    return refused(because);
  }
  files.write(place, after);
  seen.change(place, sha256(after), replacesWhole);
  return { ok: true, value: { ...journal.record(place, before), hash: sha256(after), sizeBytes: after.length, notes } };
}

/** Whether one of the names above a path is a file. */
export function isBelowFile(files: FakeFiles, place: string): boolean {
  const names = place.split('/');
  return names.some((_, index) => index > 0 && files.read(names.slice(0, index).join('/') || '/') !== null);
}
