import { describe, expect, it } from 'vitest';
import { endpointOf } from './api-endpoint.ts';
import type { ApiLogin } from './api-login.ts';

const google = { geminiBaseUrl: null, vertexBaseUrl: null };

function projectIn(location: string): ApiLogin {
  return {
    type: 'vertex-project',
    project: 'team-1',
    location,
    accessToken: async () => ({ ok: true, token: 'token' }),
  };
}

function addressFor(login: ApiLogin, place: Partial<typeof google | Record<keyof typeof google, string>> = {}): string {
  return endpointOf({ ...google, login, ...place }, 'gemini-3.8-flash', 'countTokens').href;
}

describe('endpointOf', () => {
  it.each([
    [{ type: 'gemini-key', apiKey: 'k' }, 'generativelanguage.googleapis.com/v1beta'],
    [{ type: 'vertex-key', apiKey: 'k' }, 'aiplatform.googleapis.com/v1beta1/publishers/google'],
    [projectIn('global'), 'aiplatform.googleapis.com/v1beta1/projects/team-1/locations/global/publishers/google'],
    [projectIn('eu'), 'aiplatform.eu.rep.googleapis.com/v1beta1/projects/team-1/locations/eu/publishers/google'],
    [
      projectIn('europe-west4'),
      'europe-west4-aiplatform.googleapis.com/v1beta1/projects/team-1/locations/europe-west4/publishers/google',
    ],
  ] as const)('%j', (login, place) => {
    expect(addressFor(login)).toBe(`https://${place}/models/gemini-3.8-flash:countTokens`);
  });

  it('uses the path of a server in place of Google', () => {
    expect(addressFor({ type: 'gemini-key', apiKey: 'k' }, { geminiBaseUrl: 'http://gateway.example/gemini/' })).toBe(
      'http://gateway.example/gemini/v1beta/models/gemini-3.8-flash:countTokens',
    );
  });

  it('keeps every model name inside its address', () => {
    const { href } = endpointOf(
      { ...google, login: { type: 'gemini-key', apiKey: 'k' } },
      '../files?key=',
      'countTokens',
    );
    expect(href).toBe('https://generativelanguage.googleapis.com/v1beta/models/..%2Ffiles%3Fkey%3D:countTokens');
  });
});
