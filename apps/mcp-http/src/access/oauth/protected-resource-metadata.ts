import type { Handler } from 'hono';
import type { HttpEnv } from '../../http-env.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { scopes } from '../scope.ts';
import type { ProtectedResource } from './protected-resource.ts';

const noMetadata: Refusal = {
  status: 404,
  code: 'no-authorization-server',
  message: 'This server takes no tokens of an authorization server. Use the token that its operator gave you.',
};

/**
 * Answers for `/.well-known/oauth-protected-resource` and the same with `/mcp` behind it: the metadata of RFC 9728, by which
 * a client finds whom to ask for a token. 404 where OAuth is not configured.
 */
export function protectedResourceMetadata(resource: ProtectedResource | null): Handler<HttpEnv> {
  return (context) => (resource === null ? refuse(context, noMetadata) : context.json(describeResource(resource)));
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
