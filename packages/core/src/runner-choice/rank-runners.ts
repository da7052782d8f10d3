import type { RunnerCapabilities } from '../ports/gemini-runner.ts';

/**
 * `api` keeps to runners that ask Google's API themselves, `warm` and `headless` to those that run a program: `headless` to such as
 * start one for each call, while `warm` prefers one that does not. `auto` takes all of them, in this order, as far as they can carry the
 * request, and passes over one that cannot be had. For the others that is the end of the call.
 */
export type RunnerPreference = 'auto' | 'api' | 'warm' | 'headless';

type WithCapabilities = { readonly capabilities: RunnerCapabilities };

type Way = 'direct' | 'warm' | 'cold';

const admitted: Readonly<Record<RunnerPreference, readonly Way[]>> = {
  auto: ['direct', 'warm', 'cold'],
  api: ['direct'],
  warm: ['warm', 'cold'],
  headless: ['cold'],
};

/** The runners that a preference admits, the preferred ones first. */
export function rankRunners<Runner extends WithCapabilities>(
  runners: readonly Runner[],
  preference: RunnerPreference,
): readonly Runner[] {
  return admitted[preference].flatMap((way) => runners.filter(({ capabilities }) => wayOf(capabilities) === way));
}

/** Whether the first of these runners is what the preference is for: `warm` without a warm one would be something else. */
export function meetsPreference([first]: readonly WithCapabilities[], preference: RunnerPreference): boolean {
  return first !== undefined && (preference !== 'warm' || wayOf(first.capabilities) === 'warm');
}

function wayOf({ direct, warmStart }: RunnerCapabilities): Way {
  if (direct === true) {
    return 'direct';
  }
  return warmStart ? 'warm' : 'cold';
}
