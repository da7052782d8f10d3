import { detailOf, errorBody, errorInfo, geminiService } from './error-body.ts';
import { quotaErrors } from './quota-errors.ts';
import type { RecordedError } from './recorded-error.ts';

const rejected = { kind: 'authentication', problem: 'rejected' } as const;
const tooLarge = { kind: 'context-too-large', refusal: null } as const;
const unavailable = { kind: 'overloaded' } as const;

const logins: Readonly<Record<string, RecordedError>> = {
  'key-not-valid': {
    origin: 'documentation of the Gemini API; Wei-Shaw/sub2api#1709',
    status: 400,
    body: errorBody(
      400,
      'INVALID_ARGUMENT',
      'API key not valid. Please pass a valid API key.',
      errorInfo('API_KEY_INVALID', geminiService),
    ),
    failure: rejected,
  },
  'key-leaked': {
    origin: 'continuedev/continue#10513',
    status: 403,
    body: errorBody(403, 'PERMISSION_DENIED', 'Your API key was reported as leaked. Please use another API key.'),
    failure: rejected,
  },
  'api-not-enabled': {
    origin: 'tashfeenahmed/freellmapi#285',
    status: 403,
    body: errorBody(
      403,
      'PERMISSION_DENIED',
      'Generative Language API has not been used in project 1 before or it is disabled.',
      errorInfo('SERVICE_DISABLED', { ...geminiService, consumer: 'projects/1' }),
    ),
    failure: rejected,
  },
  'key-for-vertex': {
    origin: 'googleapis/python-genai#1404',
    status: 401,
    body: errorBody(
      401,
      'UNAUTHENTICATED',
      'API keys are not supported by this API. Expected OAuth2 access token.',
      errorInfo('CREDENTIALS_MISSING', { service: 'aiplatform.googleapis.com' }),
    ),
    failure: rejected,
  },
  'account-disabled': {
    origin: 'google-gemini/gemini-cli#19501: a list, as an API gives it that is not asked for events',
    status: 403,
    body: `[${errorBody(403, 'PERMISSION_DENIED', 'This service has been disabled in this account.')}]`,
    failure: rejected,
  },
};

const requests: Readonly<Record<string, RecordedError>> = {
  'unknown-field': {
    origin: 'documentation of the Gemini API',
    status: 400,
    body: errorBody(
      400,
      'INVALID_ARGUMENT',
      'Invalid JSON payload received. Unknown name "contnts": Cannot find field.',
      detailOf('BadRequest', { fieldViolations: [{ description: 'Unknown name "contnts": Cannot find field.' }] }),
    ),
    failure: { kind: 'invalid-input' },
  },
  location: {
    origin: 'poenl/gemini-api#4, gemini-api-php/client#32',
    status: 400,
    body: errorBody(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
    failure: { kind: 'invalid-input' },
  },
  'too-many-tokens': {
    origin: 'documentation of the Gemini API',
    status: 400,
    body: errorBody(
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ),
    failure: tooLarge,
  },
  'payload-too-large': {
    origin: 'google-gemini/deprecated-generative-ai-android#26',
    status: 400,
    body: errorBody(400, 'INVALID_ARGUMENT', 'Request payload size exceeds the limit: 4194304 bytes.'),
    failure: tooLarge,
  },
  'body-too-large-for-a-gateway': {
    origin: 'google-gemini/gemini-cli#13776: a gateway with a name of its own for the status',
    status: 413,
    body: JSON.stringify({
      error: { message: 'Maximum request body size 1048576 exceeded', code: 413, status: 'Request Entity Too Large' },
    }),
    failure: tooLarge,
  },
  'model-not-found': {
    origin: 'documentation of the Gemini API',
    status: 404,
    body: errorBody(404, 'NOT_FOUND', 'models/gemini-0 is not found for API version v1beta.'),
    failure: { kind: 'model-not-found' },
  },
};

const servers: Readonly<Record<string, RecordedError>> = {
  overloaded: {
    origin: 'google-gemini/gemini-cli#5191',
    status: 503,
    body: errorBody(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
    failure: unavailable,
  },
  'deadline-as-unavailable': {
    origin: 'googleapis/python-genai#1808',
    status: 503,
    body: errorBody(503, 'UNAVAILABLE', 'Deadline expired before operation could complete.'),
    failure: unavailable,
  },
  'deadline-exceeded': {
    origin: 'letta-ai/letta#2861',
    status: 504,
    body: errorBody(504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'),
    failure: { kind: 'server-error', httpStatus: 504 },
  },
  internal: {
    origin: 'documentation of the Gemini API',
    status: 500,
    body: errorBody(500, 'INTERNAL', 'An internal error has occurred. Please retry.'),
    failure: { kind: 'server-error', httpStatus: 500 },
  },
  'page-of-a-proxy': {
    origin: 'the page of nginx',
    status: 502,
    headers: { 'Content-Type': 'text/html' },
    body: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<h1>Bad Gateway</h1>\r\n</body>\r\n</html>\r\n',
    failure: { kind: 'server-error', httpStatus: 502 },
  },
};

/** Errors of the Gemini API, of Vertex AI, and of proxies in front of them, each by a name. */
export const recordedErrors: Readonly<Record<string, RecordedError>> = {
  ...quotaErrors,
  ...logins,
  ...requests,
  ...servers,
};
