/** An error of a Google API in its public form, as far as it is understood. */
export type GoogleError = {
  /** `error.code`, or the one that belongs to `error.status`; null where it has neither. */
  readonly httpStatus: number | null;
  readonly message: string;
  /** Of `ErrorInfo`, such as `API_KEY_INVALID`. */
  readonly reason: string | null;
  /** The quotas of `QuotaFailure` that were exceeded. */
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

/**
 * Reads `{ error: … }`, a list that begins with one (a stream that is no `alt=sse`), or the JSON text of either; null for
 * anything else. Never throws.
 */
export function parseGoogleError(value: unknown): GoogleError | null {
  const body = typeof value === 'string' ? parseJson(value) : value;
  const error = memberOf(Array.isArray(body) ? body[0] : body, 'error');
  const status = textOf(error, 'status');
  const code = memberOf(error, 'code');
  const known = status !== null && Object.hasOwn(statusCodes, status) ? (statusCodes[status] ?? null) : null;
  const httpStatus = typeof code === 'number' && code >= 400 && code < 600 ? code : known;
  const message = textOf(error, 'message') ?? '';
  if (httpStatus === null && status === null && message === '') {
    return null;
  }
  return { httpStatus, message, ...detailsOf(error) };
}

function detailsOf(error: unknown): Pick<GoogleError, 'reason' | 'quotas' | 'retryAfterMs'> {
  const details = listOf(error, 'details');
  const ofType = (name: string): readonly unknown[] =>
    details.filter((detail) => textOf(detail, '@type')?.endsWith(`/google.rpc.${name}`) === true);
  const violations = ofType('QuotaFailure').flatMap((detail) => listOf(detail, 'violations'));
  const [retry] = ofType('RetryInfo');
  return {
    reason: ofType('ErrorInfo').map((detail) => textOf(detail, 'reason'))[0] ?? null,
    quotas: violations.map((violation) => ({
      id: textOf(violation, 'quotaId') ?? '',
      value: textOf(violation, 'quotaValue') ?? '',
    })),
    retryAfterMs: parseDurationMs(textOf(retry, 'retryDelay') ?? ''),
  };
}

/** A duration as protobuf writes it in JSON: `41s`, `0.5s`. */
function parseDurationMs(text: string): number | null {
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(text)?.[1];
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000);
}

function parseJson(text: string): unknown {
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
