import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../refusal.ts';

/** Of the whole header, parameters and all. A form or plain text may come from any web page without asking first. */
const json = /^application\/json[ \t]*(?:;|$)/i;

/** Why the headers of a request alone keep its body from being read; null when nothing does. */
export function refuseContent({ headersDistinct }: IncomingMessage): Refusal | null {
  const types = headersDistinct['content-type'] ?? [];
  if (types.length !== 1 || !types.every((type) => json.test(type.trim()))) {
    return {
      status: 415,
      code: 'unsupported-media-type',
      message: 'The body has to be JSON: send `Content-Type: application/json`.',
    };
  }
  const encodings = headersDistinct['content-encoding'] ?? [];
  if (encodings.some((encoding) => encoding.trim().toLowerCase() !== 'identity')) {
    return {
      status: 415,
      code: 'unsupported-content-encoding',
      message: 'The body has to be sent as it is: no Content-Encoding is taken.',
      headers: { 'Accept-Encoding': 'identity' },
    };
  }
  return null;
}
