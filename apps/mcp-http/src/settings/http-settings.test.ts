import { readFileSync } from 'node:fs';
import { settingsReference } from '@gemini-mcp/server';
import { expect, it } from 'vitest';
import { everySetting, httpSettingList } from './http-settings.ts';

it('the names that people have in their configurations stay', () => {
  expect(httpSettingList.map(({ variable, flag }) => `${variable} ${flag === null ? '' : `--${flag}`}`.trim())).toEqual(
    [
      'GEMINI_MCP_HOST --host',
      'GEMINI_MCP_PORT --port',
      'GEMINI_MCP_STATEFUL --stateful',
      'GEMINI_MCP_LEGACY_SSE --legacy-sse',
      'GEMINI_MCP_HTTP_SESSION_IDLE_SECONDS --http-session-idle-seconds',
      'GEMINI_MCP_HTTP_SHUTDOWN_SECONDS --http-shutdown-seconds',
      'GEMINI_MCP_TOKEN',
      'GEMINI_MCP_TOKEN_FILE --token-file',
      'GEMINI_MCP_PRINCIPALS_FILE --principals-file',
      'GEMINI_MCP_OAUTH_ISSUER --oauth-issuer',
      'GEMINI_MCP_OAUTH_AUDIENCE --oauth-audience',
      'GEMINI_MCP_ALLOWED_HOSTS --allowed-hosts',
      'GEMINI_MCP_ALLOWED_ORIGINS --allowed-origins',
      'GEMINI_MCP_HTTP_MAX_BODY_BYTES --http-max-body-bytes',
      'GEMINI_MCP_HTTP_MAX_CONNECTIONS --http-max-connections',
      'GEMINI_MCP_HTTP_MAX_REQUESTS --http-max-requests',
      'GEMINI_MCP_HTTP_RATE_LIMIT --http-rate-limit',
      'GEMINI_MCP_HTTP_MAX_SESSIONS --http-max-sessions',
    ],
  );
});

it('no variable and no flag stands for two settings, those of every server among them', () => {
  const variables = everySetting.map(({ variable }) => variable);
  const flags = everySetting.flatMap(({ flag }) => flag ?? []);
  expect(new Set(variables).size).toBe(variables.length);
  expect(new Set(flags).size).toBe(flags.length);
});

it('a description and a default fit into one row of a table', () => {
  for (const { description, shownDefault } of httpSettingList) {
    expect(description + shownDefault).not.toMatch(/[\n|]/);
  }
});

const document = new URL('../../../../docs/http.md', import.meta.url);
const begin = '<!-- settings: written by apps/mcp-http/src/settings/http-settings.test.ts, do not edit by hand -->';
const end = '<!-- end of settings -->';

it('docs/http.md says what can be set (`pnpm vitest -u` writes it anew)', async () => {
  const written = readFileSync(document, 'utf8');
  const [before, rest = ''] = written.split(begin);
  const after = rest.slice(rest.indexOf(end));
  expect(after.startsWith(end), 'the marks around the tables').toBe(true);
  const current = `${before}${begin}\n\n${settingsReference(httpSettingList)}\n\n${after}`;
  await expect(current).toMatchFileSnapshot(document.pathname);
});
