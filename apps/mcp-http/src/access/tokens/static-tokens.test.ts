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
  it('finds whose each token is, at whichever place it is', () => {
    const tokens = withTokens('first', 'second', 'third');
    expect(['first', 'second', 'third'].map((token) => tokens.find(token)?.name)).toEqual(['first', 'second', 'third']);
  });

  it('knows no one by a token that is not exactly one of them', () => {
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

  it('knows no one where there are no tokens', () => {
    expect(withTokens().find('first')).toBeNull();
  });

  it('refuses two principals with one token, without showing it', () => {
    const twins = [named('alice'), named('bob')].map((principal) => ({ sha256: tokenDigest('same'), principal }));
    expect(() => new StaticTokens(twins)).toThrow(ConfigurationError);
    expect(() => new StaticTokens(twins)).toThrow(/^The principals alice and bob have the same token/);
  });
});
