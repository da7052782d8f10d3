export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type FetchJsonOptions = {
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxBytes: number;
};

/** `reason` is for the log. `answered` tells one who said something else than asked for from one who cannot be reached. */
export type FetchedJson =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly reason: string; readonly answered: boolean };

/** The JSON at an address of the issuer. Redirects are not followed: they could lead anywhere. Never rejects. */
export async function fetchJson(url: string, { fetch, timeoutMs, maxBytes }: FetchJsonOptions): Promise<FetchedJson> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { redirect: 'manual', headers: { Accept: 'application/json' }, signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { ok: false, reason: `${url}: answered with the status ${response.status}`, answered: true };
    }
    const bytes = await readAtMost(response, maxBytes);
    return bytes === null
      ? { ok: false, reason: `${url}: sent more than ${maxBytes} bytes`, answered: true }
      : parse(url, bytes);
  } catch (error) {
    return { ok: false, reason: `${url}: ${describe(error)}`, answered: false };
  }
}

async function readAtMost({ body }: Response, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the rest.
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) {
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(url: string, bytes: Uint8Array): FetchedJson {
  try {
    return { ok: true, json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return { ok: false, reason: `${url}: sent no JSON`, answered: true };
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'failed';
  }
  // What `fetch` throws says no more than that it failed; why, its cause does.
  const { message, cause } = error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

/** Nothing can be learned from the issuer at the moment, which says nothing about the token that was to be verified. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}
