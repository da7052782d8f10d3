import type { GeminiFailure, InputRefusal, UnsupportedFeature } from '../failure/gemini-failure.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import { plainRunSettings, type RunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import { utf8Length } from '../text/utf8-length.ts';

/** One reason why a runner cannot carry a request, in the form of a failure. */
export type Lack = { readonly refusal: InputRefusal } | { readonly unsupported: UnsupportedFeature };

/** Everything that a request needs and a runner does not declare: sizes first, then features; empty if the runner can carry it. */
export function listLacks(request: RunRequest, capabilities: RunnerCapabilities): readonly Lack[] {
  return [
    ...listRefusals(request, capabilities).map((refusal) => ({ refusal })),
    ...listUnsupported(request, capabilities).map((unsupported) => ({ unsupported })),
  ];
}

function listRefusals(
  { input, history = [], media = [] }: RunRequest,
  { maxInputBytes, maxInputCharacters, maxMediaBytes, mediaTypes }: RunnerCapabilities,
): readonly InputRefusal[] {
  const characters = history.reduce((sum, { text }) => sum + text.length, input.length);
  const mediaBytes = media.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const sizes: readonly InputRefusal[] = [
    { measure: 'characters', actual: characters, limit: maxInputCharacters },
    { measure: 'bytes', actual: bytesToCompare(input, maxInputBytes), limit: maxInputBytes },
    // A runner without media support lacks the feature: a smaller image would not help.
    ...(mediaTypes.length > 0
      ? [{ measure: 'bytes of media', actual: mediaBytes, limit: maxMediaBytes } as const]
      : []),
  ];
  return sizes.filter(({ actual, limit }) => actual > limit);
}

/** Counts only if it matters: a code unit has at most three bytes, and counting megabytes takes milliseconds. */
function bytesToCompare(input: string, maxBytes: number): number {
  return input.length * 3 <= maxBytes ? input.length : utf8Length(input);
}

function listUnsupported(request: RunRequest, capabilities: RunnerCapabilities): readonly UnsupportedFeature[] {
  const { settings = plainRunSettings } = request;
  const needs = [...needsOfSettings(settings, capabilities), ...needsOfRequest(request, capabilities)];
  return needs.filter(([, isMissing]) => isMissing).map(([feature]) => feature);
}

/** A feature, and whether it is needed but not declared. */
type Need = readonly [UnsupportedFeature, boolean];

function needsOfSettings(settings: RunSettings, capabilities: RunnerCapabilities): readonly Need[] {
  const { systemPrompt, tools, sandbox, keyOfCall, needsKeyOfCall = false } = capabilities;
  const { thinking = false, flexibleTier = false } = capabilities;
  return [
    ['system-prompt', settings.systemPrompt !== null && !systemPrompt],
    ['tools', !tools.includes(settings.tools)],
    ['api-key', settings.apiKey !== null && !keyOfCall],
    ['login', settings.apiKey === null && needsKeyOfCall],
    ['sandbox', settings.sandbox && !sandbox],
    ['thinking', settings.thinking !== undefined && !thinking],
    ['flexible-tier', settings.serviceTier === 'flexible' && !flexibleTier],
  ];
}

function needsOfRequest(request: RunRequest, capabilities: RunnerCapabilities): readonly Need[] {
  const { history = [], media = [], urls = [], toolProviders = [], answerSchema, directory, settings } = request;
  return [
    ['directory', directory !== undefined && settings?.tools !== 'everything'],
    ['history', history.length > 0 && !capabilities.resume],
    ['answer-schema', answerSchema !== undefined && capabilities.answerSchema !== true],
    ['urls', urls.length > 0 && capabilities.urls !== true],
    ['tool-sources', toolProviders.length > 0 && capabilities.offersTools !== true],
    ['media', media.some(({ mediaType }) => !capabilities.mediaTypes.includes(mediaType))],
  ];
}

/**
 * Why a runner with these capabilities must refuse the request before sending anything; null if it can carry it. Sizes are compared as declared: a
 * runner that adds text to a message must declare a smaller limit.
 */
export function refuseLacking(request: RunRequest, capabilities: RunnerCapabilities): GeminiFailure | null {
  const [lack] = listLacks(request, capabilities);
  if (lack === undefined) {
    return null;
  }
  return 'refusal' in lack
    ? { kind: 'context-too-large', refusal: lack.refusal, excerpt: '' }
    : { kind: 'unsupported', feature: lack.unsupported };
}
