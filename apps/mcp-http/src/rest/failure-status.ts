import type { FailureKind } from '@gemini-mcp/core';
import type { RefusalReason } from '@gemini-mcp/mcp';
import type { ContentfulStatusCode, UnofficialStatusCode } from 'hono/utils/http-status';

/** As proxies have it for a request whose sender has gone: it is read in the log alone. In no standard, so in no type. */
const clientClosedRequest = 499 as UnofficialStatusCode;

/**
 * The status of a call that Gemini did not answer. 4xx: another request may succeed. 502: Google or the CLI did something
 * unexpected. 503: not now, or not before the operator has put something right.
 */
export const statusOfFailure: Readonly<Record<FailureKind, ContentfulStatusCode>> = {
  'cli-missing': 503,
  'cli-outdated': 503,
  'runner-unavailable': 503,
  authentication: 503,
  'tier-retired': 503,
  'untrusted-workspace': 503,
  configuration: 503,
  'resources-exhausted': 503,
  'invalid-input': 400,
  unsupported: 422,
  'directory-refused': 403,
  'sandbox-missing': 503,
  'unknown-session': 404,
  'search-failed': 502,
  'invalid-answer': 502,
  'no-context': 422,
  'rate-limited': 429,
  'quota-exhausted': 429,
  'capacity-exhausted': 503,
  'model-not-found': 422,
  overloaded: 503,
  'server-error': 502,
  'context-too-large': 413,
  blocked: 422,
  'empty-answer': 502,
  'malformed-output': 502,
  network: 502,
  'turn-limit': 502,
  'tool-denied': 502,
  hung: 502,
  timeout: 504,
  cancelled: clientClosedRequest,
  busy: 503,
  crashed: 502,
  unknown: 502,
};

/** The status of a call that was not carried out. */
export const statusOfRefusal: Readonly<Record<RefusalReason, ContentfulStatusCode>> = {
  'invalid-arguments': 400,
  'not-allowed': 403,
  'too-many-jobs': 429,
  'unknown-job': 404,
  'unknown-answer': 404,
  'unknown-run': 404,
  'unknown-session': 404,
  'not-deleted': 503,
  'other-server-error': 502,
  'other-server-unavailable': 503,
  'other-server-timeout': 504,
  'internal-error': 500,
  cancelled: clientClosedRequest,
};
