import type { Clock } from '@gemini-mcp/core';
import type { HttpResponse } from './http-connections.ts';

/** Errors and counts of the API have some hundred bytes; the rest of a longer body is not read. */
const usualBytes = 64 * 1024;

/** They arrive whole. An endless one must not keep its call from another model until the deadline. */
const maxMs = 5_000;

/**
 * The beginning of a body: about that many bytes (64 KiB if missing), and only those that arrive within some seconds. Closes
 * the connection of a longer one. Rejects if the body breaks off.
 */
export async function readStart(
  body: HttpResponse['body'],
  clock: Clock,
  maxBytes: number = usualBytes,
): Promise<string> {
  const decoder = new TextDecoder();
  const over = new AbortController();
  const late = clock.sleep(maxMs, over.signal).then(
    () => body.destroy(new LateBodyError()),
    () => undefined,
  );
  let [text, size] = ['', 0];
  try {
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true });
      size += bytes.length;
      if (size > maxBytes) {
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof LateBodyError)) {
      throw error;
    }
  } finally {
    over.abort();
    await late;
  }
  return text;
}

class LateBodyError extends Error {}
