import { readDuration } from './wait-time.ts';

/** An error of a Google API in its public form, as far as it is understood. */
export type GoogleError = {
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

/**
 * Reads `{ error: … }`, a list that begins with one (a stream that is no `alt=sse`), or the JSON text of either, also where it is
 * the message of another error; null for anything else. Never throws.
 */
export function parseGoogleError(value: unknown): GoogleError | null {
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
