import { excerptFrom } from './excerpt-from.ts';
import type { GeminiFailure } from './gemini-failure.ts';
import { type GoogleError, parseGoogleError } from './parse-google-error.ts';
import { toWaitMs } from './wait-time.ts';

export type GoogleErrorOptions = {
  /** Of the response; that of the error counts where it has one. */
  readonly httpStatus?: number | null;
  /** Of the header `Retry-After` (`readRetryAfter`), in milliseconds; what the error says of it counts more. */
  readonly retryAfterMs?: number | null;
};

/** What a Google API can say went wrong: each of these kinds carries its words. */
export type GoogleFailure = Extract<GeminiFailure, { readonly excerpt: string }>;

/** What only a body in the form of Google's errors is: any other was written by whatever answered in its place. */
const google = 'Google';

type Evidence = Omit<GoogleError, 'httpStatus'> & {
  readonly httpStatus: number;
  readonly excerpt: string;
};

/**
 * Says what an error of a Google API means: the body of a response or the value of an event, as JSON or as its text. It reads
 * the public form of all Google APIs (`error.code`, `status` and `details`; https://google.aip.dev/193), never a sentence
 * but those on too large requests, on spent credits and on limits of zero, for which there is no code. Null for what is no such error and has no status of an error either.
 *
 * The excerpt is the error's message, not redacted. It is Google's (`saidBy`) only where the error has that form. A connection that failed is no error of Google's: that is `network`.
 */
export function readGoogleError(value: unknown, options: GoogleErrorOptions = {}): GoogleFailure | null {
  const { httpStatus = null, retryAfterMs = null } = options;
  const error = parseGoogleError(value);
  const status = error?.httpStatus ?? httpStatus;
  if (status === null || !(status >= 400 && status < 600)) {
    return null;
  }
  const told = error ?? {
    message: typeof value === 'string' ? value : '',
    reason: null,
    quotas: [],
    retryAfterMs: null,
  };
  const excerpt = excerptFrom(told.message);
  const evidence = { ...told, retryAfterMs: told.retryAfterMs ?? toWaitMs(retryAfterMs), httpStatus: status, excerpt };
  const failure = failureOfReason(evidence) ?? failureOfStatus(evidence);
  return error === null || excerpt === '' ? failure : { ...failure, saidBy: google };
}

/** What is renewed sooner is a limit of the rate, whatever its name: that API gives the same reason with some seconds to wait. */
const shortestQuotaMs = 60_000;

/** Reasons that say more than the status does. */
function failureOfReason({ reason, retryAfterMs, excerpt }: Evidence): GoogleFailure | null {
  switch (reason) {
    case 'API_KEY_INVALID':
    case 'API_KEY_EXPIRED':
      return { kind: 'authentication', problem: 'rejected', excerpt };
    // Of the API that a login with Google uses (`cloudcode-pa.googleapis.com`).
    case 'MODEL_CAPACITY_EXHAUSTED':
      return { kind: 'capacity-exhausted', excerpt };
    case 'QUOTA_EXHAUSTED':
      return retryAfterMs !== null && retryAfterMs < shortestQuotaMs
        ? { kind: 'rate-limited', retryAfterMs, excerpt }
        : { kind: 'quota-exhausted', excerpt };
    default:
      return null;
  }
}

/** An input over the window, and a request over what the API takes at once, which also has the status 413. */
const tooMuch = /exceeds the maximum number of tokens|payload size exceeds the limit/i;

function failureOfStatus(evidence: Evidence): GoogleFailure {
  const { httpStatus, excerpt, message } = evidence;
  switch (httpStatus) {
    case 400:
      return tooMuch.test(message)
        ? { kind: 'context-too-large', refusal: null, excerpt }
        : { kind: 'invalid-input', excerpt };
    case 401:
    case 403:
      return { kind: 'authentication', problem: 'rejected', excerpt };
    case 404:
      return { kind: 'model-not-found', excerpt };
    case 413:
      return { kind: 'context-too-large', refusal: null, excerpt };
    case 429:
      return failureOfQuota(evidence);
    case 503:
      return { kind: 'overloaded', excerpt };
    default:
      return httpStatus >= 500 || httpStatus === 408 || httpStatus === 499
        ? { kind: 'server-error', httpStatus, excerpt }
        : { kind: 'invalid-input', excerpt };
  }
}

/** Paid in advance: no wait brings them back. */
const spentCredits = /\bcredits are depleted\b/i;

/** Newer errors name the limit in the message alone. */
const limitOfZero = /\blimit: 0(?!\d)/;

/** A quota of a day is spent however soon the API says to try again. One of zero is none at all: the key's plan lacks the model. */
function failureOfQuota({ quotas, retryAfterMs, excerpt, message }: Evidence): GoogleFailure {
  const isSpent =
    [spentCredits, limitOfZero].some((pattern) => pattern.test(message)) ||
    quotas.some(({ id, value }) => /PerDay/i.test(id) || value === '0');
  return isSpent ? { kind: 'quota-exhausted', excerpt } : { kind: 'rate-limited', retryAfterMs, excerpt };
}
