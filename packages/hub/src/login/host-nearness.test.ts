import { describe, expect, it } from 'vitest';
import { type HostNearness, hostNearness } from './host-nearness.ts';

describe('hostNearness', () => {
  it.each<[string, HostNearness]>([
    ['127.0.0.1', 'this-machine'],
    ['127.8.9.1', 'this-machine'],
    ['localhost', 'this-machine'],
    ['localhost.', 'this-machine'],
    ['a.localhost', 'this-machine'],
    ['[::1]', 'this-machine'],
    ['[::ffff:127.0.0.1]', 'this-machine'],
    ['[64:ff9b::7f00:1]', 'this-machine'],
    ['10.1.2.3', 'private'],
    ['172.31.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['[fd12::1]', 'private'],
    ['[::ffff:10.0.0.1]', 'private'],
    ['intranet', 'private'],
    ['git.corp.internal', 'private'],
    ['printer.local', 'private'],
    ['169.254.169.254', 'forbidden'],
    ['[::ffff:a9fe:a9fe]', 'forbidden'],
    ['[fe80::1]', 'forbidden'],
    ['[fd00:ec2::254]', 'forbidden'],
    ['metadata.google.internal', 'forbidden'],
    ['metadata.google.internal.', 'forbidden'],
    ['0.0.0.0', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    ['[::]', 'forbidden'],
    ['172.32.0.1', 'public'],
    ['example.com', 'public'],
    ['[2606:4700::1]', 'public'],
    ['8.8.8.8', 'public'],
    ['notlocalhost.com', 'public'],
  ])('%s is %s', (host, nearness) => {
    expect(hostNearness(host)).toBe(nearness);
  });

  it.each([
    ['http://0x7f.1/', 'this-machine'],
    ['http://2130706433/', 'this-machine'],
    ['http://0177.0.0.1/', 'this-machine'],
    ['http://0xa9fea9fe/', 'forbidden'],
    ['http://[0:0:0:0:0:ffff:7f00:1]/', 'this-machine'],
    ['http://①②⑦.0.0.1/', 'this-machine'],
  ])('the host of %s is %s, however it is written', (url, nearness) => {
    expect(hostNearness(new URL(url).hostname)).toBe(nearness);
  });
});
