import { relative, resolve, sep } from 'node:path';
import type { ChangeConsent, CommandPlan, Redirection, StepRefusal } from '@gemini-mcp/core';
import { judgeWrite, type WriteJudgement } from '@gemini-mcp/core/internal';
import { isSensitivePath } from '../../../files/sensitive-names.ts';
import { outsideRoots, type RunPlaces, realPathOf, shownPath } from './command-place.ts';
import { hashFile } from './hash-file.ts';

export type JudgeRedirectionsOptions = {
  readonly plan: CommandPlan;
  readonly places: RunPlaces;
  /** The real path of the directory of the plan. */
  readonly directory: string;
  readonly consents: readonly ChangeConsent[];
};

/**
 * Decides before anything runs for the files that a command line itself reads and writes. Resolves to null where all of them
 * may be opened, otherwise to the refusal of the first one.
 */
export async function judgeRedirections(options: JudgeRedirectionsOptions): Promise<StepRefusal | null> {
  const redirections = options.plan.pipelines.flatMap(({ commands }) => commands).flatMap((one) => one.redirections);
  for (const redirection of redirections) {
    const refusal = await judgeOne(redirection, options);
    if (refusal !== null) {
      return refusal;
    }
  }
  return null;
}

/** What is decided for a change of a real path below a root. */
export function judgeRealPath({ roots }: RunPlaces, path: string): WriteJudgement {
  const below = relative(roots.rootOf(path) ?? '/', path)
    .split(sep)
    .join('/');
  return judgeWrite({ path: below, isSensitive: isSensitivePath });
}

async function judgeOne(redirection: Redirection, options: JudgeRedirectionsOptions): Promise<StepRefusal | null> {
  if (redirection.type !== 'to-file' && redirection.type !== 'from-file') {
    return null;
  }
  const real = await realPathOf(resolve(options.directory, redirection.path));
  if (real === null || !options.places.roots.contains(real)) {
    return outsideRoots(redirection.path);
  }
  if (redirection.type === 'to-file') {
    return judgeTarget(real, options);
  }
  return isSensitivePath(real) ? guarded(redirection.path, 'It looks like a file with keys or passwords.') : null;
}

async function judgeTarget(real: string, { places, consents }: JudgeRedirectionsOptions): Promise<StepRefusal | null> {
  const judgement = judgeRealPath(places, real);
  const path = shownPath(places, real);
  if (judgement.decision === 'allow') {
    return null;
  }
  if (judgement.decision === 'deny') {
    return guarded(path, judgement.reason);
  }
  const beforeHash = await hashFile(real);
  if (consents.some((consent) => consent.path === path && consent.beforeHash === beforeHash)) {
    return null;
  }
  return {
    code: 'needs-approval',
    message: `The command would write ${JSON.stringify(path)}. ${judgement.reason}`,
    hint: 'The user has to be asked first.',
    retriable: false,
    proposal: { path, reason: judgement.reason, diff: '', beforeHash },
  };
}

function guarded(path: string, reason: string): StepRefusal {
  return {
    code: 'protected',
    message: `${JSON.stringify(path)} is protected. ${reason}`,
    hint: 'Leave it as it is, and say in the answer what should be changed there.',
    retriable: false,
  };
}
