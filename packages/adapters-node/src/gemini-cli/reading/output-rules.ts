import { type GeminiFailure, readGoogleError } from '@gemini-mcp/core';
import type { CliOutcome } from './cli-outcome.ts';
import { excerptOf, httpStatusOf, outputText, parseRetryAfterMs } from './evidence.ts';
import type { ClassificationRule } from './process-rules.ts';

type Evidence = {
  readonly answered: boolean;
  readonly said: string;
  readonly excerpt: string;
  readonly httpStatus: number | null;
};

export type SaidRow = {
  readonly name: string;
  /** Null stands for a run without a status. If missing, any status matches. */
  readonly statuses?: readonly (number | null)[];
  /** Searched for in the run's messages. If missing, any message matches. */
  readonly words?: RegExp;
  readonly build: (evidence: Evidence) => GeminiFailure;
};

/** Google's login exits with code 1 as well as 41, so this comes before the exit codes. Reported on 0.49 and 0.58. */
export const tierRow: SaidRow = {
  name: 'retired tier',
  words: /IneligibleTierError|UNSUPPORTED_CLIENT|no longer supported for Gemini Code Assist/,
  build: failure('tier-retired'),
};

export const tierRules: readonly ClassificationRule[] = [outputRule(tierRow)];

const errorStatuses: readonly number[] = Array.from({ length: 200 }, (_, index) => 400 + index);

/** Errors of the API and of the CLI, recognized by their HTTP status if they have one, else by their wording in 0.61.0. */
export const outputRows: readonly SaidRow[] = [
  {
    name: 'rejected key',
    statuses: [400],
    words: /API_KEY_INVALID|API key not valid|API key expired/i,
    build: rejected,
  },
  {
    name: 'too many tokens',
    statuses: [400],
    words: /exceeds the maximum number of tokens/i,
    build: tooLarge,
  },
  {
    // 0.61.0 exits with 1, not with the status, when the API answers with 404.
    name: 'not found in words',
    statuses: [null],
    words: /model.* not found|requested entity was not found/i,
    build: failure('model-not-found'),
  },
  {
    name: 'no capacity',
    statuses: [429, 503],
    words: /no capacity available/i,
    build: failure('capacity-exhausted'),
  },
  { name: 'quota that is renewed in seconds', statuses: [429], words: /will reset after \d+s/i, build: rateLimited },
  {
    name: 'spent quota',
    statuses: [429],
    words: /exhausted your (?:daily quota|quota|capacity)|limit: 0(?![\d.])/i,
    build: failure('quota-exhausted'),
  },
  // The API's own error object, which the CLI passes on unchanged; else the status alone.
  { name: 'error of the API', statuses: errorStatuses, build: apiError },
  {
    // The session mode has no exit codes: this wording replaces a headless run's exit code 41.
    name: 'no login in words',
    statuses: [null],
    words:
      /^Gemini API key is missing or not configured|^Authentication required|could not load the default credentials/im,
    build: ({ excerpt }) => ({ kind: 'authentication', problem: 'missing', excerpt }),
  },
  {
    // The CLI's event reader takes U+2028 and U+2029 for ends of lines, which the API does not escape.
    name: 'broken stream',
    words: /Incomplete JSON segment at the end/,
    build: failure('malformed-output'),
  },
  { name: 'blocked answer', words: /response was blocked/i, build: blockedAnswer },
  {
    name: 'invalid stream',
    words: /returned an empty response|no final response text|exceeded the token limit|^Model stream ended with/im,
    build: ({ answered, excerpt }) => ({ kind: answered ? 'malformed-output' : 'empty-answer', excerpt }),
  },
  { name: 'quota in words', words: /\bquota\b|rate.?limit|resource.?exhausted|too many requests/i, build: rateLimited },
  { name: 'overload in words', words: /overloaded|temporarily unavailable/i, build: failure('overloaded') },
  {
    name: 'no connection',
    words:
      /fetch failed|API Error: terminated|^terminated$|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|socket hang up/im,
    build: failure('network'),
  },
  {
    // The whole usage text follows; the excerpt would show only its end.
    name: 'flag that this version does not know',
    words: /^Unknown arguments?:.*/m,
    build: ({ said }) => ({ kind: 'cli-outdated', excerpt: /^Unknown arguments?:.*/m.exec(said)?.[0] ?? '' }),
  },
];

export const outputRules: readonly ClassificationRule[] = outputRows.map(outputRule);

function outputRule({ name, statuses, words, build }: SaidRow): ClassificationRule {
  return {
    name,
    matches: (outcome) =>
      (statuses === undefined || statuses.includes(httpStatusOf(outcome))) &&
      (words === undefined || words.test(outputText(outcome))),
    build: (outcome) => build(evidenceOf(outcome)),
  };
}

function evidenceOf(outcome: CliOutcome): Evidence {
  return {
    answered: outcome.answered,
    said: outputText(outcome),
    excerpt: excerptOf(outcome),
    httpStatus: httpStatusOf(outcome),
  };
}

/** Kinds whose only detail is the excerpt. */
type PlainKind =
  | 'capacity-exhausted'
  | 'invalid-input'
  | 'malformed-output'
  | 'model-not-found'
  | 'network'
  | 'overloaded'
  | 'quota-exhausted'
  | 'tier-retired';

function failure(kind: PlainKind): SaidRow['build'] {
  return ({ excerpt }) => ({ kind, excerpt });
}

function blockedAnswer({ excerpt }: Evidence): GeminiFailure {
  return { kind: 'blocked', what: 'answer', excerpt };
}

function rejected({ excerpt }: Evidence): GeminiFailure {
  return { kind: 'authentication', problem: 'rejected', excerpt };
}

function tooLarge({ excerpt }: Evidence): GeminiFailure {
  return { kind: 'context-too-large', refusal: null, excerpt };
}

function apiError({ said, excerpt, httpStatus }: Evidence): GeminiFailure {
  const body = said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1);
  const failure = readGoogleError(body, { httpStatus, retryAfterMs: parseRetryAfterMs(said) });
  return failure === null ? { kind: 'unknown', detail: '', excerpt } : { ...failure, excerpt };
}

function rateLimited({ said, excerpt }: Evidence): GeminiFailure {
  return { kind: 'rate-limited', retryAfterMs: parseRetryAfterMs(said), excerpt };
}

/** Attributes the excerpt to the CLI, even if the CLI passed on a message of Google. */
export function attributeToCli(failure: GeminiFailure): GeminiFailure {
  return 'excerpt' in failure && failure.excerpt !== '' ? { ...failure, saidBy: 'the Gemini CLI' } : failure;
}
