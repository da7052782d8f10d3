import { type Clock, excerptFrom, type GeminiFailure, readGoogleError, readRetryAfter } from '@gemini-mcp/core';
import { hideSecret, readWithoutSecret, withoutSecret } from '../hide-secret.ts';
import type { HttpResponse } from './http-connections.ts';
import { readStart } from './read-start.ts';

export type ExpectedType = 'text/event-stream' | 'application/json';

export type RefusedResponseOptions = {
  readonly clock: Clock;
  readonly expected: ExpectedType;
  /** The secret that the failure must not repeat; empty if unused. */
  readonly secret: string;
};

/**
 * Why a response is not of the expected type; null if it is. Reads the beginning of an unexpected one, and closes its connection. Rejects
 * if that breaks off.
 */
export async function refusedResponse(
  response: HttpResponse,
  { clock, expected, secret }: RefusedResponseOptions,
): Promise<GeminiFailure | null> {
  const { status, headers, body } = response;
  const [type, encoding, retryAfter] = ['content-type', 'content-encoding', 'retry-after'].map((name) => headers[name]);
  if (status === 200 && isOfType(type, expected) && encoding === undefined) {
    return null;
  }
  const text = await readStart(body, clock);
  const retryAfterMs = typeof retryAfter === 'string' ? readRetryAfter(retryAfter, clock.now()) : null;
  const failure = readGoogleError(readWithoutSecret(text, secret), { httpStatus: status, retryAfterMs });
  if (failure !== null) {
    return hideSecret(failure, secret);
  }
  const said = (words: string): string => excerptFrom(withoutSecret(`${words}: ${text}`, secret));
  return status === 200
    ? { kind: 'malformed-output', excerpt: said(`Not ${expected} came, but ${shown(type)}`) }
    : { kind: 'network', excerpt: said(`HTTP status ${status}, which is unexpected; redirects are not followed`) };
}

function isOfType(type: unknown, expected: ExpectedType): boolean {
  return typeof type === 'string' && type.split(';', 1)[0]?.trim().toLowerCase() === expected;
}

function shown(type: unknown): string {
  return typeof type === 'string' ? type : 'something without a type';
}
