import { scopes } from '@gemini-mcp/mcp/internal/declarations';
import type { Handler } from 'hono';
import type { HttpEnv } from '../../http-env.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { type ProtectedResource, resourceMetadataPath, resourceMetadataUrl } from './protected-resource.ts';

const noMetadata: Refusal = {
  status: 404,
  code: 'no-authorization-server',
  message: 'This server takes no tokens of an authorization server. Use the token that its operator gave you.',
};

/**
 * Answers with the metadata of RFC 9728, by which a client finds whom to ask for a token: where the resource has it, and at the
 * root of the host. 404 at paths of other resources, and where OAuth is not configured.
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

function otherResource(resource: ProtectedResource): Refusal {
  const message = `There is no such resource here. The one that there is: ${resource.audience}`;
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
