import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ChangeConsent, CommandPlan, Redirection, StepRefusal } from '@gemini-mcp/core';
import {
  escapeControls,
  judgeChange,
  judgeWrite,
  looksSecret,
  outsideRoots,
  type WriteJudgement,
} from '@gemini-mcp/core/internal';
import { isSensitivePath } from '../../../disk/sensitive-names.ts';
import { type CommandPaths, realPathOf, shownPath } from './command-place.ts';

export type JudgeRedirectionsOptions = {
  readonly plan: CommandPlan;
  readonly places: CommandPaths;
  /** The real path of the plan's directory. */
  readonly directory: string;
  readonly consents: readonly ChangeConsent[];
};

/**
 * Judges, before anything runs, the files that a command line itself reads and writes. Resolves to null if all of them may be opened,
 * otherwise to the refusal of the first one.
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

/** The judgement of a change to a real path below a root. */
export function judgeRealPath({ roots }: CommandPaths, path: string): WriteJudgement {
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
    return outsideRoots(escapeControls(redirection.path));
  }
  if (redirection.type === 'to-file') {
    return judgeTarget(real, options);
  }
  return isSensitivePath(real) ? looksSecret(escapeControls(redirection.path)) : null;
}

async function judgeTarget(real: string, { places, consents }: JudgeRedirectionsOptions): Promise<StepRefusal | null> {
  const judgement = judgeRealPath(places, real);
  const path = shownPath(places, real);
  const beforeHash = judgement.decision === 'ask' ? await hashFile(real) : null;
  const consent = consents.find((one) => one.path === path);
  const situation = {
    mode: 'full',
    path,
    judgement,
    beforeHash,
    seen: null,
    replacesWhole: false,
    consent,
  } as const;
  return judgeChange(situation, () => '');
}

/** SHA-256 of a file's contents, in hex; null if there is no readable file. */
async function hashFile(path: string): Promise<string | null> {
  try {
    if (!(await lstat(path)).isFile()) {
      return null;
    }
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
