import type { Clock } from '@gemini-mcp/core';
import { hasSlept } from '@gemini-mcp/core/internal';
import type { EndpointJudge } from './judge-endpoint.ts';

export type GuardedFetchOptions = {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly judge: EndpointJudge;
};

/** Metadata of a server with all languages and keys has some 20 kB. */
const maxBodyBytes = 256_000;

const timeLimitMs = 30_000;

/** The answer to a question of the login was too long, or came too late. */
export class AnswerRefused extends Error {}

/**
 * A `fetch` for what a login asks strangers: addresses as `judge` lets them, redirects not followed, each answer read here, within 256 kB and
 * 30 s. It rejects with `EndpointRefused`, `AnswerRefused`, or as `fetch` does. An abort of `signal` ends it.
 */
export function createGuardedFetch(
  { fetch, clock, judge }: GuardedFetchOptions,
  signal: AbortSignal,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    const address = await judge.check(url);
    const late = new AbortController();
    const over = new AbortController();
    void hasSlept(clock, timeLimitMs, over.signal).then((isOver) => isOver && late.abort());
    const signals = [signal, late.signal, ...(init.signal ? [init.signal] : [])];
    try {
      const response = await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
      const { status, statusText, headers } = response;
      const body = await readBody(response);
      const isEmpty = [204, 205, 304].includes(status);
      return new Response(isEmpty ? null : body, { status, statusText, headers: plainHeaders(headers) });
    } catch (error) {
      throw late.signal.aborted ? new AnswerRefused(`${address.origin} did not answer within 30 s.`) : error;
    } finally {
      over.abort();
    }
  };
}

async function readBody({ body, url }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    bytes += read.value.byteLength;
    if (bytes > maxBodyBytes) {
      await reader?.cancel().catch(() => undefined);
      throw new AnswerRefused(`${new URL(url).origin} answered with more than 256 kB. The answer was not read.`);
    }
    chunks.push(read.value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** The body is unpacked by now. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete('content-encoding');
  plain.delete('content-length');
  return plain;
}
