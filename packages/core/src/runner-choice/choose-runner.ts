import type { RunnerCapabilities, RunRequest } from '../ports/gemini-runner.ts';
import type { ChoiceReason } from './choice-reason.ts';
import { type Lack, listLacks } from './list-lacks.ts';
import { type RunnerPreference, rankRunners } from './rank-runners.ts';
import { withoutDirectory } from './without-directory.ts';

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
  /** What it is to carry: the request itself, or the one without a directory that is optional. */
  readonly request: RunRequest;
};

/**
 * Which runners are to be tried, in this order, and why. First those that declare all that the request needs, then those that can
 * carry it without its directory, where that is optional. Where there are none of either, the one whose refusal helps a user most.
 * Empty when the preference leaves no candidate.
 */
export function chooseRunner<Candidate extends RunnerCandidate>({
  request,
  preference,
  candidates,
}: ChooseRunnerOptions<Candidate>): readonly RunnerToTry<Candidate>[] {
  const compared = rankRunners(candidates, preference).map((candidate) => compare(request, candidate));
  const able = [...compared.filter(({ fit }) => fit === request), ...compared.filter(isReduced(request))];
  const awake = able.filter(({ candidate }) => preference !== 'auto' || candidate.passedOver === null);
  const [first, ...others] = awake.length > 0 ? awake : able;
  if (first === undefined) {
    return leastLacking(compared).map(({ candidate }) => ({ candidate, reason: 'lacks-least', request }));
  }
  const [asleep] = able.slice(0, able.indexOf(first));
  const [lacking] = compared.slice(0, compared.indexOf(first)).slice(-1);
  const reason = asleep?.candidate.passedOver ?? reasonForFirst(lacking, preference);
  const reasons = [reason, ...others.map(() => 'in-reserve' as const)];
  return [first, ...others].map(({ candidate, fit }, index) => ({
    candidate,
    reason: reasons[index] ?? 'in-reserve',
    request: fit ?? request,
  }));
}

type Compared<Candidate> = {
  readonly candidate: Candidate;
  readonly lacks: readonly Lack[];
  /** As much of the request as it can carry; null where that is too little. */
  readonly fit: RunRequest | null;
};

function compare<Candidate extends RunnerCandidate>(request: RunRequest, candidate: Candidate): Compared<Candidate> {
  const lacks = listLacks(request, candidate.capabilities);
  if (lacks.length === 0) {
    return { candidate, lacks, fit: request };
  }
  const reduced = withoutDirectory(request);
  const fits = reduced !== null && listLacks(reduced, candidate.capabilities).length === 0;
  return { candidate, lacks, fit: fits ? reduced : null };
}

function isReduced(request: RunRequest): (compared: Compared<unknown>) => boolean {
  return ({ fit }) => fit !== null && fit !== request;
}

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
