/** Nothing can be learned from the issuer at the moment, which says nothing about the token that was to be verified. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}
