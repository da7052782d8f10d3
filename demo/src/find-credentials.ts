import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Names the login with which the server, or its Gemini CLI, could reach Google; null without one. Checks secrets only for existence. */
export function findCredentials(environment: Environment, homeDirectory: string): string | null {
  const key = ['GEMINI_API_KEY', 'GOOGLE_API_KEY'].find((name) => environment[name]);
  if (isTrue(environment['GOOGLE_GENAI_USE_VERTEXAI'])) {
    return 'Vertex AI (GOOGLE_GENAI_USE_VERTEXAI)';
  }
  if (key !== undefined) {
    return key;
  }
  const directory = join(homeDirectory, '.gemini');
  if (existsSync(join(directory, 'oauth_creds.json')) || isTrue(environment['GOOGLE_GENAI_USE_GCA'])) {
    return 'the login of the Gemini CLI';
  }
  return holdsKey(join(directory, '.env')) || holdsKey(join(homeDirectory, '.env'))
    ? 'a key in .env of your home'
    : null;
}

function isTrue(value: string | undefined): boolean {
  return value === 'true' || value === '1';
}

function holdsKey(path: string): boolean {
  return existsSync(path) && /^\s*(?:export\s+)?GEMINI_API_KEY\s*=\s*\S/m.test(readFileSync(path, 'utf8'));
}
