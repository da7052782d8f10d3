import type { ChangeConsent } from '../ports/workspace/file-steps.ts';
import type { StepRefusal } from '../ports/workspace/step-result.ts';
import type { WorkMode } from '../ports/workspace/workspace.ts';
import type { WriteJudgement } from './judge-write.ts';
import type { SeenFile } from './seen-files.ts';
import { changedSinceRead, isProtected, needsApproval, neverSeen, readsOnly, seenInPart } from './step-refusals.ts';

/** A change to a file, before it is made. */
export type ChangeSituation = {
  readonly mode: WorkMode;
  /** As in `ProposedChange`. */
  readonly path: string;
  readonly judgement: WriteJudgement;
  /** Of the content that is there; null for none. */
  readonly beforeHash: string | null;
  /** What the run last saw there; null if it has seen nothing. */
  readonly seen: SeenFile | null;
  /** Whether all of the file is replaced, whatever is in it. */
  readonly replacesWhole: boolean;
  readonly consent?: ChangeConsent | undefined;
};

/** Why nothing may be changed at a path, whatever would be written: asked before anything there is read. Null when it may. */
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

/** Why a change is not made; null when it is. `describe` gives its diff, and is called for a question alone. */
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
  return needsApproval({ path, reason: judgement.reason, diff: describe(), beforeHash });
}
