import type { ChangeConsent } from '../ports/workspace/file-steps.ts';
import type { StepRefusal } from '../ports/workspace/step-result.ts';
import type { WorkMode } from '../ports/workspace/workspace.ts';
import type { WriteJudgement } from './judge-write.ts';
import type { SeenFile } from './seen-files.ts';
import { approvalRequired, changedSinceRead, isProtected, neverSeen, readsOnly, seenInPart } from './step-refusals.ts';

/** A change to a file, before it is made. */
export type ChangeSituation = {
  readonly mode: WorkMode;
  /** As in `ProposedChange`. */
  readonly path: string;
  readonly judgement: WriteJudgement;
  /** SHA-256 of the current content; null if the file does not exist. */
  readonly beforeHash: string | null;
  /** What the run last saw there; null if it has seen nothing. */
  readonly seen: SeenFile | null;
  /** Whether the whole file is replaced, whatever it contains. */
  readonly replacesWhole: boolean;
  readonly consent?: ChangeConsent | undefined;
};

/** Why a path may not be changed, whatever the content: checked before anything there is read. Null if it may. */
export function judgePlace({
  mode,
  path,
  judgement,
}: Pick<ChangeSituation, 'mode' | 'path' | 'judgement'>): StepRefusal | null {
  if (mode === 'plan') {
    return readsOnly();
  }
  return judgement.decision === 'deny' ? isProtected(path, judgement.reason) : null;
}

/** Why a change is refused; null if it is made. `describe` returns its diff, and is called only to ask the user. */
export function judgeChange(situation: ChangeSituation, describe: () => string): StepRefusal | null {
  return judgePlace(situation) ?? judgeSeen(situation) ?? judgeConsent(situation, describe);
}

function judgeSeen({ path, beforeHash, seen, replacesWhole }: ChangeSituation): StepRefusal | null {
  if (seen !== null && seen.hash !== beforeHash) {
    return changedSinceRead(path);
  }
  if (!replacesWhole || beforeHash === null) {
    return null;
  }
  if (seen === null) {
    return neverSeen(path);
  }
  return seen.firstUnseenLine === null ? null : seenInPart(path, seen.firstUnseenLine);
}

function judgeConsent(
  { path, judgement, beforeHash, consent }: ChangeSituation,
  describe: () => string,
): StepRefusal | null {
  if (judgement.decision !== 'ask' || (consent?.path === path && consent.beforeHash === beforeHash)) {
    return null;
  }
  return approvalRequired({ path, reason: judgement.reason, diff: describe(), beforeHash });
}
