import type { ChoiceReason } from '../ports/gemini-runner/run-event.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import { type Lack, listLacks } from './list-lacks.ts';

/**
 * `api` allows runners that call Google's API directly, `warm` and `headless` those that run a program: `headless` runners that start one for each
 * call, while `warm` prefers one that does not. `auto` allows all of them, as far as they support the request, and tries the next if one is
 * unavailable. With the others, the call then fails.
 */
export type RunnerPreference = 'auto' | 'api' | 'warm' | 'headless';

type Kind = 'direct' | 'warm' | 'cold';

/** The kinds of runners to try, in this order. */
const table: Readonly<Record<RunnerPreference, readonly Kind[]>> = {
  auto: ['direct', 'warm', 'cold'],
  api: ['direct'],
  warm: ['warm', 'cold'],
  headless: ['cold'],
};

export type RunnerCandidate = {
  readonly capabilities: RunnerCapabilities;
  /** With `auto`, a resting runner is skipped while another one supports the request: the other preferences leave no choice. */
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
 * The runners to try, in this order, and why: those that declare everything that the request needs, or else the one whose refusal helps a user most.
 * Empty if the preference leaves no candidate.
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

/** The runners that a preference allows, the preferred ones first. */
export function admitRunners<Runner extends Pick<RunnerCandidate, 'capabilities'>>(
  runners: readonly Runner[],
  preference: RunnerPreference,
): readonly Runner[] {
  return table[preference].flatMap((kind) => runners.filter(({ capabilities }) => kindOf(capabilities) === kind));
}

/** Whether a runner is the first choice of a preference; `auto` accepts any. */
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

/** The one that lacks the fewest features, because a user can fix them one at a time, and among those the one with the highest limit. */
function leastLacking<Candidate>(compared: readonly Compared<Candidate>[]): readonly Compared<Candidate>[] {
  return [...compared]
    .sort((one, other) => one.lacks.length - other.lacks.length || limitOf(other) - limitOf(one))
    .slice(0, 1);
}

function limitOf({ lacks: [lack] }: Compared<unknown>): number {
  return lack !== undefined && 'refusal' in lack ? lack.refusal.limit : 0;
}
