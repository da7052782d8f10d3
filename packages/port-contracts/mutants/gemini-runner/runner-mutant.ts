import {
  type Clock,
  type FailureKind,
  type GeminiFailure,
  type GeminiRunner,
  plainRunSettings,
  type RunEnd,
  type RunEvent,
  type RunnerCapabilities,
  type RunRequest,
  type RunSettings,
} from '@gemini-mcp/core';

import type { Mutant } from '../prove-mutants.ts';

export type RunnerMutant = Mutant & {
  readonly mutate: (right: GeminiRunner, clock: Clock) => Partial<GeminiRunner>;
  /** Changes each request to generate, in the place of `store: false`. Over the API only. */
  readonly fields?: object;
};

type Mutate = RunnerMutant['mutate'];

export const neverAborted: AbortSignal = new AbortController().signal;

/** Changes the request. */
export function changingRequests(change: (request: RunRequest) => RunRequest): Mutate {
  return (right) => ({ run: (request, signal) => right.run(change(request), signal) });
}

export function changingSettings(change: (settings: RunSettings) => Partial<RunSettings>): Mutate {
  return changingRequests((request) => ({ ...request, settings: settingsOf(request, change) }));
}

export function settingsOf(
  { settings = plainRunSettings }: RunRequest,
  change: (settings: RunSettings) => Partial<RunSettings> = () => ({}),
): RunSettings {
  return { ...settings, ...change(settings) };
}

export function changingInputs(change: (input: string) => string): Mutate {
  return changingRequests((request) => ({ ...request, input: change(request.input) }));
}

/** Changes each event, splits it or drops it. */
export function changingEvents(change: (event: RunEvent, request: RunRequest) => readonly RunEvent[]): Mutate {
  return (right) => ({
    run: async function* run(request, signal) {
      for await (const event of right.run(request, signal)) {
        yield* change(event, request);
      }
    },
  });
}

/** `text` is the whole answer before the end. */
export function changingEnds(change: (end: RunEnd, text: string) => readonly RunEvent[]): Mutate {
  return (right) => ({
    run: async function* run(request, signal) {
      let text = '';
      for await (const event of right.run(request, signal)) {
        text += textIn(event);
        yield* isEnd(event) ? change(event, text) : [event];
      }
    },
  });
}

export function changingFailures(change: (failure: GeminiFailure) => GeminiFailure): Mutate {
  return changingEnds((end) => [end.type === 'failure' ? failed(change(end.failure)) : end]);
}

/** Reports each failure of that kind as `unknown`. */
export function notKnowing(kind: FailureKind): Mutate {
  return changingFailures((failure) =>
    failure.kind === kind ? { kind: 'unknown', detail: 'the request failed', excerpt: excerptOf(failure) } : failure,
  );
}

function excerptOf(failure: GeminiFailure): string {
  return 'excerpt' in failure ? failure.excerpt : '';
}

/** Declares other capabilities. */
export function declaring(change: (capabilities: RunnerCapabilities) => Partial<RunnerCapabilities>): Mutate {
  return (right) => ({ capabilities: { ...right.capabilities, ...change(right.capabilities) } });
}

function textIn(event: RunEvent): string {
  return event.type === 'text' ? event.text : '';
}

function isEnd(event: RunEvent): event is RunEnd {
  return event.type === 'answer' || event.type === 'failure';
}

export function failed(failure: GeminiFailure): RunEnd {
  return { type: 'failure', failure };
}

export const complete: RunEnd = { type: 'answer', ending: { type: 'complete' }, modelVersion: 'gemini-2.5-pro' };
