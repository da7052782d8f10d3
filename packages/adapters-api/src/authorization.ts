import type { ApiLogin } from './api-login.ts';

/** The header that carries a login, and the secret in it, which nothing that is said may hold. */
export type Authorization = { readonly headers: Readonly<Record<string, string>>; readonly secret: string };

/** Makes the header for one request. Rejects where no access token is to be had. */
export async function authorize(login: ApiLogin, signal: AbortSignal): Promise<Authorization> {
  if (login.type === 'vertex-project') {
    const token = await login.accessToken(signal);
    return { headers: { authorization: `Bearer ${token}` }, secret: token };
  }
  return { headers: { 'x-goog-api-key': login.apiKey }, secret: login.apiKey };
}

/** The login for a call that brings a key of its own: it takes the place of a key of the same kind, and else is one of the Gemini API. */
export function withKeyOfCall(login: ApiLogin, apiKey: string | null): ApiLogin {
  if (apiKey === null) {
    return login;
  }
  return { type: login.type === 'vertex-key' ? 'vertex-key' : 'gemini-key', apiKey };
}
