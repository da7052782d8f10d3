import { type Scope, scopes } from '@gemini-mcp/mcp/internal/declarations';
import { type ProtectedResource, resourceMetadataUrl } from './oauth/protected-resource.ts';
import { inOrder } from './required-scopes.ts';

/** What was wrong with a token, in the words of RFC 6750. */
type ChallengeProblem =
  | { readonly error: 'invalid_token' }
  | { readonly error: 'insufficient_scope'; readonly needed: readonly Scope[] };

/** Makes a value for `WWW-Authenticate`; without a problem where no token came, which by RFC 6750 is none. */
export type Challenge = (problem?: ChallengeProblem) => string;

/**
 * How this server asks for a token. With OAuth it says where to get one and for what: all scopes at first, and exactly those
 * that a call needs where a token lacks one.
 */
export function createChallenge(resource: ProtectedResource | null): Challenge {
  return (problem) => {
    const parts = [
      resource === null ? 'realm="gemini-mcp-server"' : `resource_metadata="${resourceMetadataUrl(resource)}"`,
      ...(problem === undefined ? [] : [`error="${problem.error}"`]),
      ...scopePart(resource, problem),
    ];
    return `Bearer ${parts.join(', ')}`;
  };
}

function scopePart(resource: ProtectedResource | null, problem: ChallengeProblem | undefined): readonly string[] {
  if (problem?.error === 'insufficient_scope') {
    return [`scope="${inOrder(problem.needed).join(' ')}"`];
  }
  return resource === null ? [] : [`scope="${scopes.join(' ')}"`];
}
