import { describe, expect, it } from 'vitest';
import { type HostNearness, hostNearness, isMetadataHost } from './host-nearness.ts';

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

  it.each<[string, HostNearness]>([
    ['[2002:7f00:1::]', 'forbidden'],
    ['[2002:a9fe:a9fe::1]', 'forbidden'],
    ['[::127.0.0.1]', 'forbidden'],
    ['[::a9fe:a9fe]', 'forbidden'],
    ['[::ffff:0:127.0.0.1]', 'forbidden'],
    ['[64:ff9b:1::7f00:1]', 'forbidden'],
    ['[64:ff9b::a9fe:a9fe]', 'forbidden'],
    ['[64:ff9b::808:808]', 'public'],
    ['[2001:0:7f00:1::]', 'forbidden'],
    ['[::ffff:8.8.8.8]', 'public'],
    ['[0:0:0:0:0:ffff:a00:1]', 'private'],
    ['fe80::1%eth0', 'forbidden'],
    ['::1%lo', 'this-machine'],
    ['FD00:EC2::254', 'forbidden'],
    ['2130706433', 'this-machine'],
    ['0177.1', 'this-machine'],
    ['0X7F.0.0.1', 'this-machine'],
    ['10.1', 'private'],
    ['127.0.0.1.', 'this-machine'],
    ['LOCALHOST', 'this-machine'],
    ['localhost.localdomain', 'private'],
    ['localhost.example.com', 'public'],
    ['server.localdomain', 'private'],
    ['1.2.3.4.5', 'forbidden'],
    ['256.1.1.1', 'forbidden'],
    ['1.2.3.x4', 'public'],
    ['[1::2::3]', 'forbidden'],
    ['[1:2:3:4:5:6:7:8:9]', 'forbidden'],
    ['[12345::1]', 'forbidden'],
    ['[ff02::1]', 'forbidden'],
    ['168.63.129.16', 'forbidden'],
    ['metadata.goog', 'forbidden'],
  ])('UPSTREAM-L4: %s is %s', (host, nearness) => {
    expect(hostNearness(host)).toBe(nearness);
  });

  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '0xa9fea9fe',
    'METADATA.',
  ])('UPSTREAM-L4: a cloud machine reveals its credentials at %s', (host) => {
    expect(isMetadataHost(host)).toBe(true);
  });

  it.each(['0.0.0.0', 'example.com', '[fe80::1]', '10.0.0.1'])('%s is not a metadata host', (host) => {
    expect(isMetadataHost(host)).toBe(false);
  });
});
