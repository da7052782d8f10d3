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

/** An error has few details; what has more is none of Google's. */
const maxDetails = 100;

/** Errors of Google are some kilobytes. What is longer is not parsed: that would take a while, and memory. */
const maxBodyCharacters = 1_000_000;

/** A library that passes an error on puts the whole of it into the message of its own, and some do so twice. */
const maxWrappers = 2;

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

/** An error of a Google API in its public form, as far as it is understood. */
type GoogleError = {
  /** `error.code`, or the one that belongs to `error.status`; null where it has neither. */
  readonly httpStatus: number | null;
  readonly message: string;
  /** Of `ErrorInfo`, such as `API_KEY_INVALID`. */
  readonly reason: string | null;
  /** The quotas that were exceeded: of `QuotaFailure`, or of `ErrorInfo` where older errors have them. */
  readonly quotas: readonly { readonly id: string; readonly value: string }[];
  /** `retryDelay` of `RetryInfo`. */
  readonly retryAfterMs: number | null;
};

/**
 * Reads `{ error: … }`, a list that begins with one (a stream that is no `alt=sse`), or the JSON text of either, also where it is
 * the message of another error; null for anything else. Never throws.
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
