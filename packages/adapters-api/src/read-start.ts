import type { HttpResponse } from './http-connections.ts';

/** Errors and counts of the API have some hundred bytes; the rest of a longer body is not read. */
const maxBytes = 64 * 1024;

/** The beginning of a body, up to about 64 KiB; the connection of a longer one is given up. Rejects where the body breaks off. */
export async function readStart(body: HttpResponse['body']): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    size += bytes.length;
    if (size > maxBytes) {
      break;
    }
  }
  return text;
}
