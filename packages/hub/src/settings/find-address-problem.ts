import { hostNearness, isMetadataHost } from '@gemini-mcp/core/internal';

/** Why no server is reached by this address with these headers, for a user; null where nothing speaks against it. */
export function findAddressProblem({
  url,
  headers,
}: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): string | null {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || (address.protocol !== 'https:' && address.protocol !== 'http:')) {
    return 'Its url has to begin with https:// or http://.';
  }
  if (address.username !== '' || address.password !== '') {
    return 'Its url has a user name or a password. Put them into headers, as a reference.';
  }
  if (isMetadataHost(address.hostname)) {
    return 'Its url is where a machine of a cloud tells its credentials.';
  }
  if (address.protocol === 'http:' && !isNear(address.hostname) && Object.keys(headers).length > 0) {
    return 'Its url is not encrypted, and headers would be sent in the clear. Use https.';
  }
  const wrong = Object.entries(headers).find(
    ([name, value]) => !/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value),
  );
  return wrong === undefined ? null : 'A header has a name or a value that HTTP does not take.';
}

/** On this machine or in a network of its own, where servers seldom have certificates. */
function isNear(host: string): boolean {
  return ['this-machine', 'private'].includes(hostNearness(host));
}
