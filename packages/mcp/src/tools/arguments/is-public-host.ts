import { BlockList, isIP } from 'node:net';

/** IPv4 blocks that lead nowhere in the public internet (IANA's registry of special purposes). */
const blocks: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];

const notPublic = new BlockList();
for (const [address, prefix] of blocks) {
  notPublic.addSubnet(address, prefix, 'ipv4');
}

/** The only block of IPv6 that is public so far. */
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');

/** Names that a machine or a network gives itself. */
const localName = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|localdomain)$/i;

/**
 * Whether a host, as `URL` has it, can be one of the public internet, by its name alone: what a name leads to is not looked up.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  switch (isIP(host)) {
    case 4:
      return !notPublic.check(host, 'ipv4');
    case 6:
      return publicIpv6.check(host, 'ipv6');
    default:
      return host.includes('.') && !localName.test(host);
  }
}
