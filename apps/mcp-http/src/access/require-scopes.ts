import type { Scope } from '@gemini-mcp/mcp/internal/declarations';
import type { Context } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { refuse } from '../refusal.ts';
import type { Challenge } from './challenge.ts';

/**
 * The answer to a request whose token is not good for what it asks, null when it is: 403, which names every scope that the
 * request needs, so that a client can ask its issuer for them. Comes after `authenticate`.
 */
export function requireScopes(
  context: Context<HttpEnv>,
  needed: readonly Scope[],
  challenge: Challenge,
): Response | null {
  const { scopes } = context.get('principal');
  const lacking = needed.filter((scope) => !scopes.has(scope));
  if (lacking.length === 0) {
    return null;
  }
  return refuse(context, {
    status: 403,
    code: 'insufficient-scope',
    message: `This token lacks ${lacking.join(' and ')}. The request needs ${needed.join(' and ')}.`,
    headers: { 'WWW-Authenticate': challenge({ error: 'insufficient_scope', needed }) },
  });
}
