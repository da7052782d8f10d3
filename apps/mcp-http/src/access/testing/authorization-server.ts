import { createServer } from 'node:http';
import { scopes } from '@gemini-mcp/mcp/internal/declarations';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { listenOnLoopback } from './listen-on-loopback.ts';

export type AuthorizationServer = {
  readonly issuer: string;
  /** The only known token. */
  readonly client: { readonly id: string; readonly secret: string };
  /** Requests an access token as a client with a secret, at a discovered address. */
  requestToken(tokenEndpoint: string, request: { readonly resource: string; readonly scope: string }): Promise<string>;
  /** A token signed by the server's own key, with claims that it would not issue. */
  sign(claims: JWTPayload): Promise<string>;
  close(): Promise<void>;
};

const client = { id: 'agent', secret: 'secret-of-the-agent' };

/** Starts `oidc-provider` with one client, which may get tokens for any resource. */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'key', use: 'sig', alg: 'RS256' };
  const server = createServer();
  const { port, close } = await listenOnLoopback(server);
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
      },
    ],
    jwks: { keys: [key] },
    ttl: { ClientCredentials: 300 },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: true, getResourceServerInfo: (_context, resource) => describeResource(resource) },
    },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    client,
    requestToken,
    sign: (claims) =>
      new SignJWT({ iss: issuer, sub: client.id, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'at+jwt' })
        .sign(privateKey),
    close,
  };
}

function describeResource(resource: string) {
  return {
    audience: resource,
    scope: scopes.join(' '),
    accessTokenTTL: 300,
    accessTokenFormat: 'jwt' as const,
    jwt: { sign: { alg: 'RS256' as const } },
  };
}

const requestToken: AuthorizationServer['requestToken'] = async (tokenEndpoint, { resource, scope }) => {
  const response = await fetch(tokenEndpoint, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
  });
  const answer: unknown = await response.json();
  if (typeof answer === 'object' && answer !== null && 'access_token' in answer) {
    return String(answer.access_token);
  }
  throw new Error(`no token: ${JSON.stringify(answer)}`);
};
