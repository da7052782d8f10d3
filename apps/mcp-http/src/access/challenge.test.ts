import { describe, expect, it } from 'vitest';
import { resourceMetadataUrl } from './oauth/protected-resource.ts';
import { createChallenge } from './required-scopes.ts';

const metadata = 'resource_metadata="https://gemini.example.com/.well-known/oauth-protected-resource/mcp"';
const everything =
  'scope="gemini:query gemini:chat gemini:search gemini:files gemini:agent gemini:tools gemini:servers"';

describe('createChallenge', () => {
  it('names only a realm if the operator issues the tokens', () => {
    const challenge = createChallenge(null);
    expect(challenge()).toBe('Bearer realm="gemini-mcp-server"');
    expect(challenge({ error: 'invalid_token' })).toBe('Bearer realm="gemini-mcp-server", error="invalid_token"');
    expect(challenge({ error: 'insufficient_scope', needed: ['gemini:files', 'gemini:query'] })).toBe(
      'Bearer realm="gemini-mcp-server", error="insufficient_scope", scope="gemini:query gemini:files"',
    );
  });

  it('names the metadata of the issuer and the scopes', () => {
    const challenge = createChallenge({ issuer: 'https://a.example', audience: 'https://gemini.example.com/mcp' });
    expect(challenge()).toBe(`Bearer ${metadata}, ${everything}`);
    expect(challenge({ error: 'invalid_token' })).toBe(`Bearer ${metadata}, error="invalid_token", ${everything}`);
    expect(challenge({ error: 'insufficient_scope', needed: ['gemini:chat'] })).toBe(
      `Bearer ${metadata}, error="insufficient_scope", scope="gemini:chat"`,
    );
  });

  it.each([
    ['https://a.example', 'https://a.example/.well-known/oauth-protected-resource'],
    ['https://a.example/', 'https://a.example/.well-known/oauth-protected-resource'],
    ['https://a.example/mcp', 'https://a.example/.well-known/oauth-protected-resource/mcp'],
    ['http://127.0.0.1:3000/mcp', 'http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp'],
    ['https://a.example/"\r\nx', 'https://a.example/.well-known/oauth-protected-resource/%22x'],
  ])('puts the metadata of %j at %s', (audience, url) => {
    expect(resourceMetadataUrl({ audience })).toBe(url);
  });
});
