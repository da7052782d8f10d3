import type { IncomingMessage } from 'node:http';

/** Larger than any file that a tool takes, with all of it escaped. */
const maxBodyBytes = 8_388_608;

export type JsonBody =
  | { readonly isRead: true; readonly body: unknown }
  | { readonly isRead: false; readonly status: 400 | 413 };

/** Reads the body of a request. Rejects where its connection breaks. */
export async function readJsonBody(incoming: IncomingMessage): Promise<JsonBody> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) {
    return { isRead: false, status: 413 };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) {
      return { isRead: false, status: 413 };
    }
    chunks.push(chunk);
  }
  try {
    return { isRead: true, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { isRead: false, status: 400 };
  }
}
