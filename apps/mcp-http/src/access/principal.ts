import { createHash } from 'node:crypto';
import { type Scope, scopes } from '@gemini-mcp/mcp/internal/declarations';

/** The authenticated sender of a request. */
export type Principal = {
  /** For the log: `local`, the name in the principals file, or `oauth:` with the subject of a token. Never a secret. */
  readonly name: string;
  /** Owns sessions, answers, jobs and places in the queue. A digest that stays the same across restarts. */
  readonly owner: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The only readable directories. Relative names start in the first. Null for those of the server. */
  readonly roots: readonly string[] | null;
};

/** The holder of the operator's token: has all scopes, and the directories of the server. */
export const localPrincipal: Principal = {
  name: 'local',
  owner: principalOwner('local', 'local'),
  scopes: new Set(scopes),
  roots: null,
};

/** The source of a principal: the operator's token, the principals file, or the issuer. */
type PrincipalKind = 'local' | 'static' | 'oauth';

/**
 * The owner id of a principal. It depends on the kind and the names alone, so it survives restarts and new tokens. An OAuth principal has
 * two names, issuer and subject, because subjects are unique within their issuer only.
 */
export function principalOwner(kind: PrincipalKind, ...names: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['http', kind, ...names]))
    .digest('hex');
}
