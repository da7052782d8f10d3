import { createHash } from 'node:crypto';
import { type Scope, scopes } from '@gemini-mcp/mcp/internal/declarations';

/** Who sent a request, once that is certain. */
export type Principal = {
  /** For the log: `local`, the name in the principals file, or `oauth:` with the subject of a token. Never a secret. */
  readonly name: string;
  /** To whom sessions, answers, jobs and places in the queue belong: a digest, the same after a restart. */
  readonly owner: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The only directories that may be read for it, the first of them where relative names start; null for those of the server. */
  readonly roots: readonly string[] | null;
};

/** The holder of the one token of the operator: may do everything, with the directories of the server. */
export const localPrincipal: Principal = {
  name: 'local',
  owner: principalOwner('local', 'local'),
  scopes: new Set(scopes),
  roots: null,
};

/** How a principal is known: by the one token of the operator, by an entry of the principals file, by an issuer. */
type PrincipalKind = 'local' | 'static' | 'oauth';

/**
 * To whom things belong that a principal makes: the same after a restart and after a change of its token, another one for
 * each kind and name. An OAuth principal has two names, issuer and subject: a subject means nothing but to its issuer.
 */
export function principalOwner(kind: PrincipalKind, ...names: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['http', kind, ...names]))
    .digest('hex');
}
