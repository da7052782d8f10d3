import { type Detail, detailOf, errorBody, errorInfo, geminiService } from './error-body.ts';
import type { RecordedError } from './recorded-error.ts';

const retryInfo = (retryDelay: string): Detail => detailOf('RetryInfo', { retryDelay });
const help = detailOf('Help', {
  links: [
    { description: 'Learn more about Gemini API quotas', url: 'https://ai.google.dev/gemini-api/docs/rate-limits' },
  ],
});

/** Newer errors leave out the value of the quota. */
function quotaFailure(...quotas: readonly (readonly [id: string, value?: string])[]): Detail {
  const violations = quotas.map(([quotaId, quotaValue]) => ({
    quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
    quotaId,
    quotaDimensions: { location: 'global', model: 'gemini-2.5-pro' },
    ...(quotaValue !== undefined && { quotaValue }),
  }));
  return detailOf('QuotaFailure', { violations });
}

const currentQuota = 'You exceeded your current quota, please check your plan and billing details.';
const cloudCode = 'cloudcode-pa.googleapis.com';

/** Rate limits, spent quotas, and servers without capacity. */
export const quotaErrors: Readonly<Record<string, RecordedError>> = {
  'quota-of-a-minute': {
    origin: 'google-gemini/gemini-cli-action#36: tokens a minute of the free tier',
    status: 429,
    body: errorBody(
      429,
      'RESOURCE_EXHAUSTED',
      currentQuota,
      quotaFailure(['GenerateContentInputTokensPerModelPerMinute-FreeTier', '250000']),
      help,
      retryInfo('36.387100208s'),
    ),
    failure: { kind: 'rate-limited', retryAfterMs: 36_388 },
  },
  'exhausted-without-details': {
    origin: 'google/generative-ai-docs#236, continuedev/continue#10479',
    status: 429,
    body: errorBody(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'),
    failure: { kind: 'rate-limited', retryAfterMs: null },
  },
  'exhausted-with-a-header': {
    origin: 'Vertex AI, the words of google-gemini/gemini-cli#14831; the header as RFC 9110 has it',
    status: 429,
    headers: { 'Retry-After': '7' },
    body: errorBody(429, 'RESOURCE_EXHAUSTED', 'Resource exhausted. Please try again later.'),
    failure: { kind: 'rate-limited', retryAfterMs: 7_000 },
  },
  'capacity-for-seconds': {
    origin: 'google-gemini/gemini-cli#22107: login with Google',
    status: 429,
    body: errorBody(
      429,
      'RESOURCE_EXHAUSTED',
      'You have exhausted your capacity on this model. Your quota will reset after 5s.',
      errorInfo('QUOTA_EXHAUSTED', { uiMessage: 'true', model: 'gemini-2.5-pro', quotaResetDelay: '5.2s' }, cloudCode),
      retryInfo('5.200432511s'),
    ),
    failure: { kind: 'rate-limited', retryAfterMs: 5_201 },
  },
  'quota-of-a-day': {
    origin: 'googleapis/python-genai#2044: all quotas of the free tier at once',
    status: 429,
    body: errorBody(
      429,
      'RESOURCE_EXHAUSTED',
      `${currentQuota}\n* Quota exceeded for metric: generate_content_free_tier_requests, limit: 50\nPlease retry in 47s.`,
      help,
      quotaFailure(
        ['GenerateRequestsPerDayPerProjectPerModel-FreeTier'],
        ['GenerateRequestsPerMinutePerProjectPerModel-FreeTier'],
      ),
      retryInfo('47s'),
    ),
    failure: { kind: 'quota-exhausted' },
  },
  'tokens-of-a-day': {
    origin: 'google-gemini/gemini-cli#4656, where a library has put it into the message of an error of its own',
    status: 429,
    body: JSON.stringify({
      error: {
        message: errorBody(
          429,
          'RESOURCE_EXHAUSTED',
          currentQuota,
          quotaFailure(['GenerateContentInputTokensPerModelPerDay-FreeTier', '6000000']),
        ),
        code: 429,
        status: 'Too Many Requests',
      },
    }),
    failure: { kind: 'quota-exhausted' },
  },
  'quota-of-nothing': {
    origin: 'home-assistant/core#132832: a key whose region has no quota',
    status: 429,
    body: errorBody(
      429,
      'RESOURCE_EXHAUSTED',
      "Quota exceeded for quota metric 'Generate Content API requests per minute'",
      errorInfo('RATE_LIMIT_EXCEEDED', {
        ...geminiService,
        quota_limit: 'GenerateContentRequestsPerMinutePerProjectPerRegion',
        quota_limit_value: '0',
      }),
    ),
    failure: { kind: 'quota-exhausted' },
  },
  'quota-of-nothing-in-words': {
    origin:
      'akshayaggarwal99/nodenest#1: a free key and a model that only paid ones have; newer errors leave out the value of the quota',
    status: 429,
    body: errorBody(
      429,
      'RESOURCE_EXHAUSTED',
      `${currentQuota}\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_input_token_count, limit: 0, model: gemini-2.0-flash-exp\nPlease retry in 41s.`,
      quotaFailure(['GenerateContentInputTokensPerModelPerMinute-FreeTier']),
      retryInfo('41s'),
    ),
    failure: { kind: 'quota-exhausted' },
  },
  'credits-depleted': {
    origin: 'dyad-sh/dyad#3626, JeffOtano/roni#336; the status as those who retried it had it',
    status: 429,
    body: errorBody(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted. Please go to AI Studio.'),
    failure: { kind: 'quota-exhausted' },
  },
  'quota-of-hours': {
    origin: 'google-gemini/gemini-cli#29425: login with Google',
    status: 429,
    body: errorBody(
      429,
      'RESOURCE_EXHAUSTED',
      'Individual quota reached. Please upgrade your subscription to increase your limits. Resets in 9h22m20s.',
      errorInfo('QUOTA_EXHAUSTED', { quotaResetDelay: '33740.910400305s', uiMessage: 'true' }, cloudCode),
      retryInfo('33740.910400305s'),
    ),
    failure: { kind: 'quota-exhausted' },
  },
  'no-capacity': {
    origin: 'google-gemini/gemini-cli#23520: login with Google',
    status: 503,
    body: errorBody(
      503,
      'UNAVAILABLE',
      'No capacity available for model on the server',
      errorInfo('MODEL_CAPACITY_EXHAUSTED', {}, cloudCode),
    ),
    failure: { kind: 'capacity-exhausted' },
  },
};
