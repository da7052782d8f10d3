import type { ClassificationRule } from './classification-rule.ts';
import { excerptOf, parseRetryAfterMs, saidText } from './evidence.ts';
import type { GeminiFailure } from './gemini-failure.ts';

/** Errors of the API and of the CLI, known by their HTTP status where there is one and by their words as seen in 0.61.0. */
export const saidRules: readonly ClassificationRule[] = [
  // Seen by others on 0.49 and 0.58 with personal accounts, which Google stopped serving in June 2026.
  saidRule(
    'retired tier',
    null,
    /IneligibleTierError|UNSUPPORTED_CLIENT|no longer supported for Gemini Code Assist/i,
    (excerpt) => ({
      kind: 'tier-retired',
      excerpt,
    }),
  ),
  saidRule('rejected key', [400], /API_KEY_INVALID|API key not valid|API key expired/i, rejected),
  saidRule('too many tokens', [400], /token count .*exceeds|exceeds the maximum number of tokens/i, (excerpt) => ({
    kind: 'context-too-large',
    refusal: null,
    excerpt,
  })),
  saidRule(
    'unknown or retired model',
    null,
    /model.*(?:not found|does not exist|not supported|unavailable|deprecated)/i,
    (excerpt) => ({
      kind: 'model-not-found',
      excerpt,
    }),
  ),
  saidRule('entity not found', [404], /(?:)/, (excerpt) => ({ kind: 'model-not-found', excerpt })),
  saidRule('daily quota', null, /exhausted your (?:daily )?quota|limit: 0\b|PerDay/i, (excerpt) => ({
    kind: 'quota-exhausted',
    excerpt,
  })),
  saidRule('no capacity', null, /MODEL_CAPACITY_EXHAUSTED|no capacity available/i, (excerpt) => ({
    kind: 'capacity-exhausted',
    excerpt,
  })),
  saidRule('rate limit', [429], /(?:)/, rateLimited),
  saidRule('unauthorized', [401, 403], /(?:)/, rejected),
  saidRule('bad request', [400], /(?:)/, (excerpt) => ({ kind: 'invalid-input', excerpt })),
  saidRule('overloaded', [503], /(?:)/, (excerpt) => ({ kind: 'overloaded', excerpt })),
  saidRule('server error', [500, 502, 504], /(?:)/, (excerpt, httpStatus) => ({
    kind: 'server-error',
    httpStatus,
    excerpt,
  })),
  saidRule(
    'blocked answer',
    null,
    /blocked due to|response was blocked|prompt was blocked|PROHIBITED_CONTENT/i,
    (excerpt) => ({
      kind: 'blocked',
      excerpt,
    }),
  ),
  saidRule(
    'empty stream',
    null,
    /returned an empty response|no final response text|ended without a finish reason/i,
    (excerpt) => ({
      kind: 'empty-answer',
      excerpt,
    }),
  ),
  saidRule('turn limit', null, /max session turns/i, (excerpt) => ({ kind: 'turn-limit', excerpt })),
  saidRule('quota in words', null, /\bquota\b|rate.?limit|resource.?exhausted|too many requests/i, rateLimited),
  saidRule('overload in words', null, /overloaded|temporarily unavailable/i, (excerpt) => ({
    kind: 'overloaded',
    excerpt,
  })),
  saidRule(
    'network in words',
    null,
    /fetch failed|\bterminated\b|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|socket hang up/i,
    (excerpt) => ({ kind: 'network', excerpt }),
  ),
  saidRule('flag that this version does not know', null, /Unknown arguments?:/, (excerpt) => ({
    kind: 'cli-outdated',
    excerpt,
  })),
  saidRule(
    'missing login in words',
    null,
    /set an Auth method|Invalid auth method selected|must specify the GEMINI_API_KEY/i,
    (excerpt) => ({
      kind: 'authentication',
      problem: 'missing',
      excerpt,
    }),
  ),
];

type Build = (excerpt: string, httpStatus: number | null) => GeminiFailure;

function saidRule(name: string, statuses: readonly number[] | null, words: RegExp, build: Build): ClassificationRule {
  return {
    name,
    matches: (outcome) =>
      (statuses === null || (outcome.httpStatus !== null && statuses.includes(outcome.httpStatus))) &&
      words.test(saidText(outcome)),
    build: (outcome) => build(excerptOf(outcome), outcome.httpStatus),
  };
}

function rejected(excerpt: string): GeminiFailure {
  return { kind: 'authentication', problem: 'rejected', excerpt };
}

function rateLimited(excerpt: string): GeminiFailure {
  return { kind: 'rate-limited', retryAfterMs: parseRetryAfterMs(excerpt), excerpt };
}
