/** Where a host is, judging by its name or address. No server can be at a `forbidden` one. */
export type HostNearness = 'this-machine' | 'private' | 'public' | 'forbidden';

/** `metadata`: the service that gives a cloud machine its credentials. `ipv4`: the last 32 bits are an IPv4 address. */
type Range = readonly [range: string, nearness: HostNearness | 'metadata' | 'ipv4'];

/** The first match counts. Sources: IANA's special-purpose registries and the cloud providers' documentation. */
const ranges: readonly Range[] = [
  ['127.0.0.0/8', 'this-machine'],
  ['169.254.0.0/16', 'metadata'],
  ['100.100.100.200/32', 'metadata'],
  ['168.63.129.16/32', 'metadata'],
  ['192.0.0.192/32', 'metadata'],
  ['0.0.0.0/8', 'forbidden'],
  ['192.88.99.0/24', 'forbidden'],
  ['224.0.0.0/3', 'forbidden'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'private'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'private'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'private'],
  ['0.0.0.0/0', 'public'],
  ['::1/128', 'this-machine'],
  ['::ffff:0:0/96', 'ipv4'],
  ['64:ff9b::/96', 'ipv4'],
  ['fd00:ec2::254/128', 'metadata'],
  ['fd20:ce::254/128', 'metadata'],
  ['fc00::/7', 'private'],
  ['fec0::/10', 'private'],
  // Teredo, examples and 6to4: the address does not say where its packets end.
  ['2001::/32', 'forbidden'],
  ['2001:db8::/32', 'forbidden'],
  ['2002::/16', 'forbidden'],
  ['2000::/3', 'public'],
  ['::/0', 'forbidden'],
];

const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** Names that machines and networks give themselves. */
const privateName = /(?:^|\.)(?:local|internal|intranet|lan|localdomain|home\.arpa)$/;

/**
 * The only rule for whether a host is public. `host` is a name or an address, from a URL or a DNS lookup, in any spelling, with brackets, a zone or a
 * trailing dot. Names are not resolved.
 */
export function hostNearness(host: string): HostNearness {
  const found = placeOf(host);
  return found === 'metadata' ? 'forbidden' : found;
}

/** Whether the host serves a cloud machine's credentials. */
export function isMetadataHost(host: string): boolean {
  return placeOf(host) === 'metadata';
}

function placeOf(host: string): HostNearness | 'metadata' {
  const bare = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (bare.includes(':')) {
    return placeOfBits(parseIpv6(bare.replace(/%.*$/, '')));
  }
  if (/(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(bare)) {
    return placeOfBits(parseIpv4(bare));
  }
  if (bare === 'localhost' || bare.endsWith('.localhost')) {
    return 'this-machine';
  }
  if (metadataNames.has(bare)) {
    return 'metadata';
  }
  return !bare.includes('.') || privateName.test(bare) ? 'private' : 'public';
}

/** The range of an address given as 32 or 128 binary digits; `forbidden` for null, an invalid address. */
function placeOfBits(bits: string | null): HostNearness | 'metadata' {
  const [, found = 'forbidden'] =
    prefixes.find(([prefix, , length]) => bits?.length === length && bits.startsWith(prefix)) ?? [];
  return found === 'ipv4' ? placeOfBits(bits?.slice(-32) ?? null) : found;
}

/** The parts may be decimal, octal or hexadecimal, and the last one fills all that are missing, as in browsers. */
function parseIpv4(text: string): string | null {
  const numbers = text.split('.').map(readNumber);
  const last = numbers.pop() ?? Number.NaN;
  const room = 4 - numbers.length;
  const isAddress = room >= 1 && last < 256 ** room && numbers.every((number) => number < 256);
  return isAddress ? numbers.map((number) => toBits(number, 8)).join('') + toBits(last, 8 * room) : null;
}

function readNumber(text: string): number {
  if (/^0x[\da-f]*$/.test(text)) {
    return Number.parseInt(text.slice(2) || '0', 16);
  }
  return /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
}

function parseIpv6(text: string): string | null {
  const [head = '', tail, ...more] = text.split('::').map(readGroups);
  const missing = 128 - head.length - (tail?.length ?? 0);
  const isAddress = more.length === 0 && (tail === undefined ? missing === 0 : missing > 0);
  const bits = head + '0'.repeat(isAddress ? missing : 0) + (tail ?? '');
  return isAddress && /^[01]{128}$/.test(bits) ? bits : null;
}

/** With an `x` for each invalid group. */
function readGroups(text: string): string {
  const groups = text === '' ? [] : text.split(':');
  return groups
    .map((group) =>
      /^[\da-f]{1,4}$/.test(group)
        ? toBits(Number.parseInt(group, 16), 16)
        : ((group.includes('.') ? parseIpv4(group) : null) ?? 'x'),
    )
    .join('');
}

function toBits(number: number, length: number): string {
  return number.toString(2).padStart(length, '0');
}

/** Must follow the functions that parse the ranges. */
const prefixes = ranges.map(([range, nearness]) => {
  const [address = '', length] = range.split('/');
  const bits = (address.includes(':') ? parseIpv6(address) : parseIpv4(address)) ?? '';
  return [bits.slice(0, Number(length)), nearness, bits.length] as const;
});
