import { describe, expect, it } from 'vitest';
import { addressGroup } from './failure-throttle.ts';

describe('addressGroup', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001::1:2:3:4:5', '2001:0:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('counts %s with %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  it('has a group for a closed connection', () => {
    expect(addressGroup(undefined)).toBe('unknown');
  });
});
