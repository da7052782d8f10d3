const maxScopes = 100;

/** Of what a stranger names as rights, what can be such: the words of RFC 6749, and no more than a link has room for. */
export function soundScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(scope)).slice(0, maxScopes);
}
