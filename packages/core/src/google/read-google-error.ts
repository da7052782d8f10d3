import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { excerptFrom } from '../text/excerpt-from.ts';
import { readDuration, toWaitMs } from './wait-time.ts';

/** The canonical codes as names, with the HTTP status of each (google/rpc/code.proto). */
const statusCodes: Readonly<Record<string, number>> = {
  CANCELLED: 499,
  UNKNOWN: 500,
  INVALID_ARGUMENT: 400,
  DEADLINE_EXCEEDED: 504,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  PERMISSION_DENIED: 403,
  UNAUTHENTICATED: 401,
  RESOURCE_EXHAUSTED: 429,
  FAILED_PRECONDITION: 400,
  ABORTED: 409,
  OUT_OF_RANGE: 400,
  UNIMPLEMENTED: 501,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DATA_LOSS: 500,
};

/** Google's errors have few details: more than this come from something else. */
const maxDetails = 100;

/** Google's errors have a few kilobytes. Longer bodies are not parsed, to save time and memory. */
const maxBodyCharacters = 1_000_000;

/** A library that passes an error on embeds all of it in its own message, and some do so twice. */
const maxWrappers = 2;

export type GoogleErrorOptions = {
  /** Of the response; the error's own status takes precedence. */
  readonly httpStatus?: number | null;
  /** From the header `Retry-After` (`readRetryAfter`), in milliseconds; the error's own delay takes precedence. */
  readonly retryAfterMs?: number | null;
};

/** The failures that a Google API can report: each of these kinds has an excerpt. */
export type GoogleFailure = Extract<GeminiFailure, { readonly excerpt: string }>;

/** Only a body in the form of Google's errors counts as Google's: any other may come from a proxy. */
const google = 'Google';

type Evidence = Omit<GoogleError, 'httpStatus'> & {
  readonly httpStatus: number;
  readonly excerpt: string;
};

/**
 * Maps an error of a Google API to a failure: the body of a response or the value of an event, as JSON or as its text. Reads the public form of all
 * Google APIs (`error.code`, `status` and `details`; https://google.aip.dev/193), and sentences only if there is no code: for too large requests,
 * spent credits and limits of zero. Null if the value is not such an error and the status is not an error either.
 *
 * The excerpt is the error's message, not redacted. `saidBy` is Google only if the error has that form. A failed connection is not Google's error:
 * that is `network`.
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

/** A quota that is renewed sooner is a rate limit, whatever its name: that API gives the same reason with a delay of a few seconds. */
const shortestQuotaMs = 60_000;

/** Reasons that are more specific than the status. */
function failureOfReason({ reason, retryAfterMs, excerpt }: Evidence): GoogleFailure | null {
  switch (reason) {
    case 'API_KEY_INVALID':
    case 'API_KEY_EXPIRED':
      return { kind: 'authentication', problem: 'rejected', excerpt };
    // From the API for logins with Google (`cloudcode-pa.googleapis.com`).
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

/** An input over the window, and a request over the API's size limit, which also has the status 413. */
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

/** Prepaid credits: waiting does not restore them. */
const spentCredits = /\bcredits are depleted\b/i;

/** Newer errors name the limit only in the message. */
const limitOfZero = /\blimit: 0(?!\d)/;

/** A daily quota is spent, however soon the API says to try again. A quota of zero means that the key's plan lacks the model. */
function failureOfQuota({ quotas, retryAfterMs, excerpt, message }: Evidence): GoogleFailure {
  const isSpent =
    [spentCredits, limitOfZero].some((pattern) => pattern.test(message)) ||
    quotas.some(({ id, value }) => /PerDay/i.test(id) || value === '0');
  return isSpent ? { kind: 'quota-exhausted', excerpt } : { kind: 'rate-limited', retryAfterMs, excerpt };
}

/** The parsed part of a Google API error in its public form. */
type GoogleError = {
  /** `error.code`, or the code of `error.status`; null if it has neither. */
  readonly httpStatus: number | null;
  readonly message: string;
  /** From `ErrorInfo`, such as `API_KEY_INVALID`. */
  readonly reason: string | null;
  /** The exceeded quotas: from `QuotaFailure`, or in older errors from `ErrorInfo`. */
  readonly quotas: readonly { readonly id: string; readonly value: string }[];
  /** `retryDelay` of `RetryInfo`. */
  readonly retryAfterMs: number | null;
};

/**
 * Parses `{ error: … }`, a list that begins with one (a stream without `alt=sse`), or the JSON text of either, even inside another error's message;
 * null for anything else. Never throws.
 */
function parseGoogleError(value: unknown): GoogleError | null {
  return parseWrapped(value, maxWrappers);
}

function parseWrapped(value: unknown, wrappers: number): GoogleError | null {
  const body = typeof value === 'string' ? parseJson(value) : value;
  const error = memberOf(Array.isArray(body) ? body[0] : body, 'error');
  const status = textOf(error, 'status');
  const message = textOf(error, 'message') ?? '';
  const httpStatus = httpStatusOf(memberOf(error, 'code')) ?? httpStatusOfName(status);
  if (httpStatus === null && status === null && message === '') {
    return null;
  }
  const inner = wrappers > 0 && message.trimStart().startsWith('{') ? parseWrapped(message, wrappers - 1) : null;
  return inner === null
    ? { httpStatus, message, ...detailsOf(error) }
    : { ...inner, httpStatus: inner.httpStatus ?? httpStatus };
}

/** A proxy may write it as text. */
function httpStatusOf(code: unknown): number | null {
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600 ? status : null;
}

function httpStatusOfName(status: string | null): number | null {
  return status !== null && Object.hasOwn(statusCodes, status) ? (statusCodes[status] ?? null) : null;
}

function detailsOf(error: unknown): Pick<GoogleError, 'reason' | 'quotas' | 'retryAfterMs'> {
  const details = listOf(error, 'details');
  const ofType = (name: string): readonly unknown[] =>
    details.filter((detail) => textOf(detail, '@type')?.endsWith(`/google.rpc.${name}`) === true);
  const violations = ofType('QuotaFailure').flatMap((detail) => listOf(detail, 'violations'));
  const infos = ofType('ErrorInfo');
  const limits = infos.map((info) => memberOf(info, 'metadata'));
  const [retry] = ofType('RetryInfo');
  return {
    reason: infos.map((info) => textOf(info, 'reason'))[0] ?? null,
    quotas: [
      ...violations.map((violation) => quotaOf(violation, 'quotaId', 'quotaValue')),
      ...limits.map((limit) => quotaOf(limit, 'quota_limit', 'quota_limit_value')),
    ],
    retryAfterMs: readDuration(memberOf(retry, 'retryDelay')),
  };
}

function quotaOf(told: unknown, id: string, value: string): GoogleError['quotas'][number] {
  return { id: textOf(told, id) ?? '', value: textOf(told, value) ?? '' };
}

function parseJson(text: string): unknown {
  if (text.length > maxBodyCharacters) {
    return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function textOf(value: unknown, name: string): string | null {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : null;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member.slice(0, maxDetails) : [];
}
