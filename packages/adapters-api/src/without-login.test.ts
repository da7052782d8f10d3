import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { findApiLogin } from './find-api-login.ts';
import { ask, collect } from './testing/ask.ts';
import { RunnerPlace } from './testing/runner-place.ts';

const place = new RunnerPlace();
const { cache } = createRequire(import.meta.url);

function isLibraryLoaded(): boolean {
  return Object.keys(cache).some((path) => /[\\/]google-auth-library[\\/]/.test(path));
}

it('without a key and a credentials file there is no login, no request, and no metadata server', async () => {
  const asked: string[] = [];
  const { server } = await place.serve((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  const usual = { GOOGLE_CLOUD_PROJECT: 'team-1', GCE_METADATA_HOST: server.host };
  process.env['GCE_METADATA_HOST'] = server.host;
  try {
    expect(findApiLogin(usual)).toBeNull();
    expect(findApiLogin({ ...usual, GOOGLE_GENAI_USE_VERTEXAI: 'true' })).toBeNull();
    expect(findApiLogin({ ...usual, GOOGLE_GENAI_USE_VERTEXAI: 'true', HOME: '/nonexistent' })).toBeNull();
    expect(isLibraryLoaded()).toBe(false);
    const credentials = { GOOGLE_APPLICATION_CREDENTIALS: '/nonexistent/credentials.json' };
    const login = findApiLogin({ ...usual, ...credentials, GOOGLE_GENAI_USE_VERTEXAI: 'true' });
    expect(login?.type).toBe('vertex-project');
    const runner = place.runnerAt(server.url, { ...(login !== null && { login }), vertexBaseUrl: server.url });
    expect(await collect(ask(runner))).toEqual([
      { type: 'failure', failure: expect.objectContaining({ kind: 'authentication', problem: 'missing' }) },
    ]);
    expect(isLibraryLoaded()).toBe(true);
    expect(asked).toEqual([]);
  } finally {
    delete process.env['GCE_METADATA_HOST'];
  }
});
