import type { ServerCredential } from '@gemini-mcp/core/internal';

/** A credential as a login leaves it. */
export const storedCredential: ServerCredential = {
  server: 'https://mcp.example.com/mcp',
  resource: null,
  issuer: 'https://login.example.com',
  tokenUrl: 'https://login.example.com/token',
  tokenMethods: [],
  revocationUrl: null,
  client: {
    id: 'ours',
    secret: null,
    method: null,
    secretExpiresAtMs: null,
    redirectUri: 'http://127.0.0.1:1/oauth/callback',
    scopes: [],
  },
  serial: 'first',
  tokens: { access: 'an-access-token', refresh: null, expiresAtMs: null, scopes: [] },
  refusal: null,
  wantedScopes: [],
  renewal: null,
  updatedAtMs: 1,
};
