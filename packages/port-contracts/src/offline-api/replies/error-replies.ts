import type { JsonRecord } from '../json-record.ts';
import type { ErrorReply } from './reply.ts';

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const QUOTA_FAILURE = 'type.googleapis.com/google.rpc.QuotaFailure';
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';
const QUOTA_METRIC = 'generativelanguage.googleapis.com/generate_content_free_tier_requests';

export type ApiErrorFields = {
  /** HTTP status, 400 to 504. */
  readonly code: number;
  readonly message: string;
  /** The canonical name of the error: `INVALID_ARGUMENT`. */
  readonly status: string;
  readonly details?: readonly JsonRecord[];
};

/** An error in Google's public shape. */
export function apiError(fields: ApiErrorFields): ErrorReply {
  return { kind: 'error', status: fields.code, body: { error: fields } };
}

export function invalidApiKey(): ErrorReply {
  const message = 'API key not valid. Please pass a valid API key.';
  const service = 'generativelanguage.googleapis.com';
  return apiError({
    code: 400,
    message,
    status: 'INVALID_ARGUMENT',
    details: [
      { '@type': ERROR_INFO, reason: 'API_KEY_INVALID', domain: 'googleapis.com', metadata: { service } },
      { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US', message },
    ],
  });
}

export function tokenCountExceeded(tokens: number = 1_200_000, maxTokens: number = 1_048_576): ErrorReply {
  const message = `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${maxTokens}).`;
  return apiError({ code: 400, message, status: 'INVALID_ARGUMENT' });
}

export function unauthorized(): ErrorReply {
  const message =
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.';
  return apiError({ code: 401, message, status: 'UNAUTHENTICATED' });
}

export function permissionDenied(message: string = 'The caller does not have permission'): ErrorReply {
  return apiError({ code: 403, message, status: 'PERMISSION_DENIED' });
}

export function modelNotFound(model: string): ErrorReply {
  const message = `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`;
  return apiError({ code: 404, message, status: 'NOT_FOUND' });
}

/** 429, the quota of a minute: worth a retry after its delay. */
export function rateLimited(retryDelaySeconds: number): ErrorReply {
  return quotaExceeded('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', 10, retryDelaySeconds);
}

/** 429, the quota of a day. The API names a short delay here too, but waiting is useless. */
export function dailyQuota(retryDelaySeconds: number = 41): ErrorReply {
  return quotaExceeded('GenerateRequestsPerDayPerProjectPerModel-FreeTier', 100, retryDelaySeconds);
}

/** 429, a model that the key's plan does not include: `limit: 0`. */
export function zeroQuota(): ErrorReply {
  return quotaExceeded('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', 0, 41);
}

/** The reason that distinguishes missing capacity from a spent quota. */
export function capacityExhausted(code: 429 | 503 = 429): ErrorReply {
  return apiError({
    code,
    message: 'No capacity available for this model on the server',
    status: code === 429 ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE',
    details: [
      { '@type': ERROR_INFO, reason: 'MODEL_CAPACITY_EXHAUSTED', domain: 'cloudcode-pa.googleapis.com', metadata: {} },
    ],
  });
}

/** 429 without any detail. */
export function plain429(): ErrorReply {
  return apiError({
    code: 429,
    message: 'Resource has been exhausted (e.g. check quota).',
    status: 'RESOURCE_EXHAUSTED',
  });
}

export function internal(): ErrorReply {
  const message =
    'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting';
  return apiError({ code: 500, message, status: 'INTERNAL' });
}

export function overloaded(): ErrorReply {
  const message = 'The model is overloaded. Please try again later.';
  return apiError({ code: 503, message, status: 'UNAVAILABLE' });
}

export function deadline(): ErrorReply {
  const message = 'The request timed out. Please try again.';
  return apiError({ code: 504, message, status: 'DEADLINE_EXCEEDED' });
}

function quotaExceeded(quotaId: string, limit: number, retryDelaySeconds: number): ErrorReply {
  const violation = {
    quotaMetric: QUOTA_METRIC,
    quotaId,
    quotaDimensions: { location: 'global' },
    quotaValue: `${limit}`,
  };
  return apiError({
    code: 429,
    message: `You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: ${QUOTA_METRIC}, limit: ${limit}\nPlease retry in ${retryDelaySeconds}s.`,
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': QUOTA_FAILURE, violations: [violation] },
      { '@type': RETRY_INFO, retryDelay: `${retryDelaySeconds}s` },
    ],
  });
}
