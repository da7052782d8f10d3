import type { RunnerCapabilities, RunRequest } from '../ports/gemini-runner.ts';
import type { ChoiceReason } from './choice-reason.ts';
import { type Lack, listLacks } from './list-lacks.ts';

/**
 * `headless` keeps to runners that start a process for each call; `warm` and `auto` prefer one that does not, as far as it can
 * carry the request. `auto` passes over one that cannot be had, `warm` takes that for the end of the call.
 */
export type RunnerPreference = 'auto' | 'warm' | 'headless';

export type RunnerCandidate = {
  readonly capabilities: RunnerCapabilities;
  /** Could not be had lately. Counts with `auto` alone: the other preferences leave no choice. */
  readonly isResting: boolean;
};

export type ChooseRunnerOptions<Candidate extends RunnerCandidate> = {
  readonly request: RunRequest;
  readonly preference: RunnerPreference;
  /** Best first among those that are equally warm. */
  readonly candidates: readonly Candidate[];
};

export type RunnerToTry<Candidate extends RunnerCandidate> = {
  readonly candidate: Candidate;
  readonly reason: ChoiceReason;
};

/**
 * Which runners are to be tried, in this order, and why. Only such as declare all that the request needs; where none does, the one
 * whose refusal helps a user most. Empty when the preference leaves no candidate.
 */
export function chooseRunner<Candidate extends RunnerCandidate>({
  request,
  preference,
  candidates,
}: ChooseRunnerOptions<Candidate>): readonly RunnerToTry<Candidate>[] {
  const compared = rankRunners(candidates, preference).map((candidate) => ({
    candidate,
    lacks: listLacks(request, candidate.capabilities),
  }));
  const able = compared.filter(({ lacks }) => lacks.length === 0);
  const awake = able.filter(({ candidate }) => preference !== 'auto' || !candidate.isResting);
  const [first, ...others] = awake.length > 0 ? awake : able;
  if (first === undefined) {
    return leastLacking(compared).map(({ candidate }) => ({ candidate, reason: 'lacks-least' }));
  }
  const passedOver = compared.slice(0, compared.indexOf(first));
  return [
    { candidate: first.candidate, reason: reasonForFirst(passedOver, preference) },
    ...others.map(({ candidate }): RunnerToTry<Candidate> => ({ candidate, reason: 'in-reserve' })),
  ];
}

/** The candidates that a preference admits, the preferred ones first. */
export function rankRunners<Candidate extends Pick<RunnerCandidate, 'capabilities'>>(
  candidates: readonly Candidate[],
  preference: RunnerPreference,
): readonly Candidate[] {
  const cold = candidates.filter(({ capabilities }) => !capabilities.warmStart);
  return preference === 'headless'
    ? cold
    : [...candidates.filter(({ capabilities }) => capabilities.warmStart), ...cold];
}

type Compared<Candidate> = {
  readonly candidate: Candidate;
  readonly lacks: readonly Lack[];
};

function reasonForFirst(passedOver: readonly Compared<RunnerCandidate>[], preference: RunnerPreference): ChoiceReason {
  const [preferred] = passedOver;
  if (preferred === undefined) {
    return preference === 'auto' ? 'preferred' : 'asked-for';
  }
  const [lack] = preferred.lacks;
  if (lack === undefined) {
    return 'resting';
  }
  return 'unsupported' in lack ? `needs-${lack.unsupported}` : 'too-large';
}

/** The one with the fewest lacks, since a user can mend them one at a time, and then with the highest limit. */
function leastLacking<Candidate>(compared: readonly Compared<Candidate>[]): readonly Compared<Candidate>[] {
  return [...compared]
    .sort((one, other) => one.lacks.length - other.lacks.length || limitOf(other) - limitOf(one))
    .slice(0, 1);
}

function limitOf({ lacks: [lack] }: Compared<unknown>): number {
  return lack !== undefined && 'refusal' in lack ? lack.refusal.limit : 0;
}
