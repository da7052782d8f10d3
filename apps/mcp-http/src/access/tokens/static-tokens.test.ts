import { ConfigurationError } from '@gemini-mcp/server';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Principal } from '../principal.ts';
import { localPrincipal } from '../principal.ts';
import { StaticTokens, tokenDigest } from './read-principals.ts';

const named = (name: string): Principal => ({ ...localPrincipal, name });
const withTokens = (...tokens: readonly string[]): StaticTokens =>
  new StaticTokens(tokens.map((token) => ({ sha256: tokenDigest(token), principal: named(token) })));

describe('StaticTokens', () => {
  it('finds the principal of each token, at any position', () => {
    const tokens = withTokens('first', 'second', 'third');
    expect(['first', 'second', 'third'].map((token) => tokens.find(token)?.name)).toEqual(['first', 'second', 'third']);
  });

  it('finds no principal for a token that differs', () => {
    const tokens = withTokens('first', 'second');
    void fc.assert(
      fc.property(fc.string(), (token) => {
        fc.pre(token !== 'first' && token !== 'second');
        expect(tokens.find(token)).toBeNull();
      }),
    );
    for (const near of [
      '',
      'firs',
      'firstt',
      'First',
      ' first',
      'first ',
      Buffer.from(tokenDigest('first')).toString('hex'),
    ]) {
      expect(tokens.find(near)).toBeNull();
    }
  });

  it('finds no principal without tokens', () => {
    expect(withTokens().find('first')).toBeNull();
  });

  it('refuses two principals with the same token, without showing it', () => {
    const twins = [named('alice'), named('bob')].map((principal) => ({ sha256: tokenDigest('same'), principal }));
    expect(() => new StaticTokens(twins)).toThrow(ConfigurationError);
    expect(() => new StaticTokens(twins)).toThrow(/^The principals alice and bob have the same token/);
  });
});
