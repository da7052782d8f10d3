import {
  type CarriedBy,
  plainRunSettings,
  type RunnerCapabilities,
  type RunnerWay,
  type RunRequest,
} from '../ports/gemini-runner.ts';
import type { ChoiceReason } from './choice-reason.ts';

export type CarriedRun = {
  readonly candidate: { readonly capabilities: RunnerCapabilities };
  readonly reason: ChoiceReason;
  readonly request: RunRequest;
};

/** Who carried a run, with which login, and why. Nothing in it comes from the request but that it brought a key of its own. */
export function carriedBy({ candidate: { capabilities }, reason, request }: CarriedRun): CarriedBy {
  const { settings = plainRunSettings } = request;
  const isOwnKey = settings.apiKey !== null;
  return { runner: capabilities.name, ...wayOf(capabilities), ...(isOwnKey && { login: 'key of the call' }), reason };
}

/** How requests go by a runner, also where it has no words for that. */
function wayOf({ way, name }: RunnerCapabilities): RunnerWay {
  return way ?? { by: `${name} runner` };
}
