import type { GeminiFailure } from '@gemini-mcp/core';
import type { ApiLogin } from './api-login.ts';

/** The header that carries a login, and the secret in it, which nothing that is said may hold; or why there is none. */
export type Authorization =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>>; readonly secret: string }
  | { readonly ok: false; readonly failure: GeminiFailure };

/** Makes the header for one request. Rejects when it is aborted, with the reason of the signal. */
export async function authorize(login: ApiLogin, signal: AbortSignal): Promise<Authorization> {
  signal.throwIfAborted();
  if (login.type !== 'vertex-project') {
    return { ok: true, headers: { 'x-goog-api-key': login.apiKey }, secret: login.apiKey };
  }
  const given = await beforeAbort(login.accessToken(), signal);
  return given.ok ? { ok: true, headers: { authorization: `Bearer ${given.token}` }, secret: given.token } : given;
}

/**
 * The login for a call that brings a key of its own: it takes the place of a key of the same kind, and else is one of the Gemini API.
 * Null where neither is there.
 */
export function withKeyOfCall(login: ApiLogin | null, apiKey: string | null): ApiLogin | null {
  if (apiKey === null) {
    return login;
  }
  return { type: login?.type === 'vertex-key' ? 'vertex-key' : 'gemini-key', apiKey };
}

/** What the promise resolves to. Rejects at once when the signal is aborted, with its reason; the promise goes on unheard. */
function beforeAbort<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
