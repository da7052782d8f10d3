import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { errorSchema } from './call-schemas.ts';

/** In a second or more; a date is never given. */
const retryAfter = {
  'Retry-After': { description: 'Seconds until it is worth trying again.', schema: { type: 'integer', minimum: 0 } },
} as const;

const challenge = { 'WWW-Authenticate': { description: 'What token is wanted.', schema: { type: 'string' } } } as const;

/** Whatever path is called. */
export const errorResponses: Readonly<Record<`${4 | 5}${string}`, ZodOpenApiResponseObject>> = {
  '400': errorResponse('BadRequest', 'The arguments are not accepted, or the body is no JSON.'),
  '401': { ...errorResponse('Unauthorized', 'There is no token, or it is not accepted.'), headers: challenge },
  '403': {
    ...errorResponse('Forbidden', 'The token is not good for this, or the server does not allow it.'),
    headers: challenge,
  },
  '404': errorResponse('NotFound', 'There is no such conversation, job or stored answer.'),
  '413': errorResponse('TooLarge', 'The body, or what was to be sent to Gemini, is too large.'),
  '415': errorResponse('UnsupportedMediaType', 'The body is not sent as JSON.'),
  '422': errorResponse('Unprocessable', 'The arguments are well formed, but nothing can be done with them.'),
  '429': {
    ...errorResponse('TooManyRequests', 'A limit of this server or a quota of Google is reached.'),
    headers: retryAfter,
  },
  '500': errorResponse('InternalError', 'A fault of this server.'),
  '502': errorResponse('BadGateway', 'Google or the Gemini CLI did something unexpected.'),
  '503': {
    ...errorResponse('Unavailable', 'Not now: too many calls, no capacity, or no Gemini CLI that works.'),
    headers: retryAfter,
  },
  '504': errorResponse('Timeout', 'No answer in time.'),
};

function errorResponse(id: string, description: string): ZodOpenApiResponseObject {
  return { id, description, content: { 'application/json': { schema: errorSchema } } };
}
