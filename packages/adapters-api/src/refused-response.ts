import { type Clock, excerptFrom, type GeminiFailure, readGoogleError, readRetryAfter } from '@gemini-mcp/core';
import type { HttpResponse } from './http-connections.ts';

/** Google's errors have some hundred bytes; the rest of a longer body is not read. */
const maxErrorBytes = 64 * 1024;

/**
 * Why a response is no stream of an answer; null where it is one. Reads the beginning of one that is none, and gives up its
 * connection. Rejects where that breaks off.
 */
export async function refusedResponse(response: HttpResponse, clock: Clock): Promise<GeminiFailure | null> {
  const { status, headers, body } = response;
  const [type, encoding, retryAfter] = ['content-type', 'content-encoding', 'retry-after'].map((name) => headers[name]);
  if (status === 200 && isEventStream(type) && encoding === undefined) {
    return null;
  }
  const text = await readStart(body);
  const retryAfterMs = typeof retryAfter === 'string' ? readRetryAfter(retryAfter, clock.now()) : null;
  const failure = readGoogleError(text, { httpStatus: status, retryAfterMs });
  if (failure !== null) {
    return failure;
  }
  return status === 200
    ? { kind: 'malformed-output', excerpt: excerptFrom(`No stream of events came, but ${shown(type)}: ${text}`) }
    : {
        kind: 'network',
        excerpt: excerptFrom(`HTTP status ${status}, which is no answer and is not followed: ${text}`),
      };
}

function isEventStream(type: unknown): boolean {
  return typeof type === 'string' && /^text\/event-stream\s*(?:;|$)/i.test(type);
}

function shown(type: unknown): string {
  return typeof type === 'string' ? type : 'something without a type';
}

async function readStart(body: HttpResponse['body']): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    size += bytes.length;
    if (size > maxErrorBytes) {
      break;
    }
  }
  return text;
}
