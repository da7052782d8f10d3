import { isTrustworthyUrl } from '@gemini-mcp/adapters-node/internal/startup';
import { scopes } from '@gemini-mcp/mcp/internal/declarations';
import { ConfigurationError } from '@gemini-mcp/server';
import type { Handler } from 'hono';
import type { HttpEnv } from '../../http-env.ts';
import { type HttpRefusal, refuse } from '../../refusal.ts';

/** This server as an OAuth resource. */
export type ProtectedResource = {
  /** The issuer of accepted tokens. Compared exactly: `https://a.example` is not `https://a.example/`. */
  readonly issuer: string;
  /** The `aud` of accepted tokens: the address of `/mcp` that clients use. */
  readonly audience: string;
};

/** Throws a `ConfigurationError` that names the wrong variable. */
export function checkProtectedResource({ issuer, audience }: ProtectedResource): void {
  if (!URL.canParse(issuer) || !isPlain(new URL(issuer)) || !isTrustworthyUrl(issuer)) {
    throw new ConfigurationError(
      'GEMINI_MCP_OAUTH_ISSUER: must be an https address (http only on loopback) without user, query and fragment',
    );
  }
  if (!URL.canParse(audience) || !isPlain(new URL(audience)) || !/^https?:\/\//.test(audience)) {
    throw new ConfigurationError(
      'GEMINI_MCP_OAUTH_AUDIENCE: must be the address of this server as clients have it, such as ' +
        'https://gemini.example.com/mcp, without user, query and fragment',
    );
  }
}

/** The path of the metadata. The path of the resource is appended to it. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

/** The address of the metadata: RFC 9728 inserts the well-known part between host and path. */
export function resourceMetadataUrl({ audience }: Pick<ProtectedResource, 'audience'>): string {
  const { origin, pathname } = new URL(audience);
  return `${origin}${resourceMetadataPath}${pathname === '/' ? '' : pathname}`;
}

function isPlain({ username, password, search, hash }: URL): boolean {
  return `${username}${password}${search}${hash}` === '';
}

const noMetadata: HttpRefusal = {
  status: 404,
  code: 'no-authorization-server',
  message: 'This server takes no tokens of an authorization server. Use the token that its operator gave you.',
};

/**
 * Serves the metadata of RFC 9728, which names the issuer, at the path of the resource and at the root of the host. Other paths get 404, and
 * so does every path if OAuth is not configured.
 */
export function protectedResourceMetadata(resource: ProtectedResource | null): Handler<HttpEnv> {
  if (resource === null) {
    return (context) => refuse(context, noMetadata);
  }
  const paths = [resourceMetadataPath, new URL(resourceMetadataUrl(resource)).pathname];
  return (context) =>
    paths.includes(context.req.path)
      ? context.json(describeResource(resource))
      : refuse(context, otherResource(resource));
}

function otherResource(resource: ProtectedResource): HttpRefusal {
  const message = `No such resource exists here. The only one is ${resource.audience}`;
  return { status: 404, code: 'unknown-resource', message };
}

function describeResource({ issuer, audience }: ProtectedResource): object {
  return {
    resource: audience,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Gemini MCP server',
  };
}
