import { isIPv6 } from 'node:net';

const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** From what address something came, as far as it is one sender's: an IPv4 address, or the /64 of an IPv6 address. */
export function addressGroup(address: string | undefined): string {
  if (address === undefined) {
    return 'unknown';
  }
  const ipv4 = mapped.exec(address)?.[1];
  if (ipv4 !== undefined || !isIPv6(address)) {
    return ipv4 ?? address;
  }
  const [head = '', tail] = withoutZone(address).split('::');
  const start = groupsOf(head);
  const end = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0');
  const network = [...start, ...zeros, ...end].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function withoutZone(address: string): string {
  return address.split('%', 1)[0] ?? address;
}

/** The last 32 bits may be written as an IPv4 address; they stand for two groups, whose value does not matter here. */
function groupsOf(part: string): readonly string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
