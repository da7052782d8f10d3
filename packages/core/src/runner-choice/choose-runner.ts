import type { RunnerCapabilities, RunRequest } from '../ports/gemini-runner.ts';
import type { ChoiceReason } from './choice-reason.ts';
import { type Lack, listLacks } from './list-lacks.ts';
import { type RunnerPreference, rankRunners } from './rank-runners.ts';

export type RunnerCandidate = {
  readonly capabilities: RunnerCapabilities;
  /** Why it is passed over while another one can carry the request. Counts with `auto` alone: the other preferences leave no choice. */
  readonly passedOver: Extract<ChoiceReason, 'resting' | 'cli-missing'> | null;
};

export type ChooseRunnerOptions<Candidate extends RunnerCandidate> = {
  readonly request: RunRequest;
  readonly preference: RunnerPreference;
  /** Best first among those of one kind. */
  readonly candidates: readonly Candidate[];
};

export type RunnerToTry<Candidate extends RunnerCandidate> = {
  readonly candidate: Candidate;
  readonly reason: ChoiceReason;
};

/**
 * Which runners are to be tried, in this order, and why: those that declare all that the request needs, else the one whose refusal
 * helps a user most. Empty when the preference leaves no candidate.
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
  const awake = able.filter(({ candidate }) => preference !== 'auto' || candidate.passedOver === null);
  const [first, ...others] = awake.length > 0 ? awake : able;
  if (first === undefined) {
    return leastLacking(compared).map(({ candidate }) => ({ candidate, reason: 'lacks-least' }));
  }
  const [asleep] = able.slice(0, able.indexOf(first));
  const [lacking] = compared.slice(0, compared.indexOf(first)).slice(-1);
  const reason = asleep?.candidate.passedOver ?? reasonForFirst(lacking, preference);
  return [
    { candidate: first.candidate, reason },
    ...others.map(({ candidate }) => ({ candidate, reason: 'in-reserve' as const })),
  ];
}

type Compared<Candidate> = {
  readonly candidate: Candidate;
  readonly lacks: readonly Lack[];
};

function reasonForFirst(before: Compared<RunnerCandidate> | undefined, preference: RunnerPreference): ChoiceReason {
  const [lack] = before?.lacks ?? [];
  if (lack === undefined) {
    return preference === 'auto' ? 'preferred' : 'asked-for';
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
