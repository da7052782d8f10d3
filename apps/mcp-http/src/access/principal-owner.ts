import { createHash } from 'node:crypto';

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
