import { BlockList, isIP } from 'node:net';

/** Where a host is, as far as its name or its address says. `forbidden` is where no server of anyone is. */
export type HostNearness = 'this-machine' | 'private' | 'public' | 'forbidden';

type Range = readonly [address: string, prefix: number, family: 'ipv4' | 'ipv6'];

const loopback = listOf([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
]);

/** Credentials of clouds, all hosts at once, what is not an address of one host. */
const forbidden = listOf([
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
  ['fd00:ec2::254', 128, 'ipv6'],
]);

const privateRanges = listOf([
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
]);

/** `host` as an address of the web has it: a name, or a number, that of IPv6 in brackets. */
export function hostNearness(host: string): HostNearness {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(bare) !== 0) {
    return addressNearness(bare);
  }
  if (bare === 'localhost' || bare.endsWith('.localhost')) {
    return 'this-machine';
  }
  if (bare === 'metadata' || bare === 'metadata.google.internal') {
    return 'forbidden';
  }
  return !bare.includes('.') || /\.(?:local|internal|lan|intranet|home\.arpa)$/.test(bare) ? 'private' : 'public';
}

/** Of an address of IPv4 or IPv6; one of IPv4 within IPv6 counts as that of IPv4. */
export function addressNearness(address: string): HostNearness {
  const plain = embedded(address) ?? address;
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  if (loopback.check(plain, family)) {
    return 'this-machine';
  }
  if (forbidden.check(plain, family)) {
    return 'forbidden';
  }
  return privateRanges.check(plain, family) ? 'private' : 'public';
}

/** The address of IPv4 in one of IPv6: mapped, or of a translator. */
function embedded(address: string): string | null {
  const canonical =
    isIP(address) === 6 ? new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1) : '';
  const [, high, low] = /^(?:::ffff:|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) {
    return null;
  }
  const [one, other] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return `${one >> 8}.${one & 0xff}.${other >> 8}.${other & 0xff}`;
}

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    list.addSubnet(...range);
  }
  return list;
}
