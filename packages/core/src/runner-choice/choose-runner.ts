import type { ChoiceReason } from '../ports/gemini-runner/run-event.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import { type Lack, listLacks } from './list-lacks.ts';

/**
 * `api` keeps to runners that ask Google's API themselves, `warm` and `headless` to those that run a program: `headless` to runners
 * that start one for each call, while `warm` prefers one that does not. `auto` takes all of them, as far as they can carry the
 * request, and goes on to the next if one cannot be had. For the others that is the end of the call.
 */
export type RunnerPreference = 'auto' | 'api' | 'warm' | 'headless';

type Kind = 'direct' | 'warm' | 'cold';

/** Which runners are tried, in this order. */
const table: Readonly<Record<RunnerPreference, readonly Kind[]>> = {
  auto: ['direct', 'warm', 'cold'],
  api: ['direct'],
  warm: ['warm', 'cold'],
  headless: ['cold'],
};

export type RunnerCandidate = {
  readonly capabilities: RunnerCapabilities;
  /** With `auto` it is passed over while another one can carry the request: the other preferences leave no choice. */
  readonly isResting: boolean;
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
 * helps a user most. Empty if the preference leaves no candidate.
 */
export function chooseRunner<Candidate extends RunnerCandidate>({
  request,
  preference,
  candidates,
}: ChooseRunnerOptions<Candidate>): readonly RunnerToTry<Candidate>[] {
  const compared = admitRunners(candidates, preference).map((candidate) => ({
    candidate,
    lacks: listLacks(request, candidate.capabilities),
  }));
  const able = compared.filter(({ lacks }) => lacks.length === 0);
  const awake = able.filter(({ candidate }) => preference !== 'auto' || !candidate.isResting);
  const [first, ...others] = awake.length > 0 ? awake : able;
  if (first === undefined) {
    return leastLacking(compared).map(({ candidate }) => ({ candidate, reason: 'lacks-least' }));
  }
  const before = compared.slice(0, compared.indexOf(first));
  const reason = before.some(({ lacks }) => lacks.length === 0) ? 'resting' : reasonFor(before.at(-1), preference);
  return [
    { candidate: first.candidate, reason },
    ...others.map(({ candidate }) => ({ candidate, reason: 'in-reserve' as const })),
  ];
}

/** The runners that a preference admits, the preferred ones first. */
export function admitRunners<Runner extends Pick<RunnerCandidate, 'capabilities'>>(
  runners: readonly Runner[],
  preference: RunnerPreference,
): readonly Runner[] {
  return table[preference].flatMap((kind) => runners.filter(({ capabilities }) => kindOf(capabilities) === kind));
}

/** Whether a runner is what a preference asks for first; `auto` takes any. */
export function isWanted(capabilities: RunnerCapabilities, preference: RunnerPreference): boolean {
  return preference === 'auto' || kindOf(capabilities) === table[preference][0];
}

function kindOf({ direct, warmStart }: RunnerCapabilities): Kind {
  if (direct === true) {
    return 'direct';
  }
  return warmStart ? 'warm' : 'cold';
}

type Compared<Candidate> = {
  readonly candidate: Candidate;
  readonly lacks: readonly Lack[];
};

function reasonFor(before: Compared<RunnerCandidate> | undefined, preference: RunnerPreference): ChoiceReason {
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
