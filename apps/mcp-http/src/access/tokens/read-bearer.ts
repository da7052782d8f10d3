import type { IncomingMessage } from 'node:http';

/** What a request brings to be let in with. `unusable`: it meant to bring a token, and none may be taken from it. */
export type BearerRead =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable' }
  | { readonly kind: 'token'; readonly token: string };

/** Room for a JWT with many claims. Nothing longer is hashed, parsed or verified. */
const maxCharacters = 8_192;

const scheme = /^bearer(?: +|$)/i;
const visibleAscii = /^[\x21-\x7e]+$/;

/**
 * The token of the one `Authorization` header. Where there are several, a proxy and this server could take different ones, so
 * none counts. Tokens in a query are none: addresses end up in logs and histories. Other schemes bring no token either.
 */
export function readBearer({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): BearerRead {
  const [header, ...others] = headersDistinct['authorization'] ?? [];
  if (header === undefined) {
    return { kind: 'absent' };
  }
  if (others.length > 0) {
    return { kind: 'unusable' };
  }
  const start = scheme.exec(header)?.[0];
  if (start === undefined) {
    return { kind: 'absent' };
  }
  const token = header.slice(start.length);
  return token.length <= maxCharacters && visibleAscii.test(token) ? { kind: 'token', token } : { kind: 'unusable' };
}
