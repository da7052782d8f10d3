import { describe, expect, it } from 'vitest';
import { principalOwner } from './principal.ts';

describe('principalOwner', () => {
  it('is the same after a restart', () => {
    expect(principalOwner('static', 'alice')).toBe('bfc876d6d6434463974cc348c8a1e47271a8421e07fe88c2a6c44a95d55cc630');
  });

  it('separates kinds and names, however they are split', () => {
    const owners = [
      principalOwner('local', 'local'),
      principalOwner('static', 'local'),
      principalOwner('static', 'oauth'),
      principalOwner('oauth', 'https://a.test', 'x'),
      principalOwner('oauth', 'https://a.test/', 'x'),
      principalOwner('oauth', 'https://a.tes', 'tx'),
    ];
    expect(new Set(owners).size).toBe(owners.length);
  });
});
