import type { ServerCredential } from '@gemini-mcp/core/internal';

/** Has the issuer end the tokens (RFC 7009). Resolves to whether it has; never rejects. */
export async function revokeTokens(
  { revocationUrl, client, tokens }: ServerCredential,
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>,
): Promise<boolean> {
  if (revocationUrl === null) {
    return false;
  }
  const body = new URLSearchParams({ token: tokens.refresh ?? tokens.access });
  body.set('token_type_hint', tokens.refresh === null ? 'access_token' : 'refresh_token');
  const headers = new Headers({ accept: 'application/json' });
  if (client.secret !== null && client.method !== 'client_secret_post') {
    const pair = `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  } else {
    body.set('client_id', client.id);
    if (client.secret !== null) {
      body.set('client_secret', client.secret);
    }
  }
  try {
    return (await fetch(revocationUrl, { method: 'POST', headers, body })).ok;
  } catch {
    return false;
  }
}
