/** A host as a `Host` header names it. */
export type Authority = {
  /** In lower case; an IPv6 address in its brackets. */
  readonly name: string;
  readonly port: number | null;
};

const pattern = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::(\d{1,5}))?$/i;

/** Null for whatever is no name and port. Nothing is normalized but case: `127.1` is not `127.0.0.1`. */
export function parseAuthority(text: string): Authority | null {
  const [, name, digits] = pattern.exec(text) ?? [];
  if (name === undefined) {
    return null;
  }
  const port = digits === undefined ? null : Number(digits);
  return port !== null && port > 65_535 ? null : { name: name.toLowerCase(), port };
}
