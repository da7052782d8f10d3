import { expect, it } from 'vitest';
import { httpSettingList } from './http-settings.ts';
import { serverSettingList } from './server-settings.ts';
import type { Setting } from './setting.ts';

const everySetting = [...serverSettingList, ...httpSettingList];

it('no two settings share a variable or a flag', () => {
  const flags = everySetting.flatMap(({ flag }) => flag ?? []);
  expect(new Set(everySetting.map(({ variable }) => variable)).size).toBe(everySetting.length);
  expect(new Set(flags).size).toBe(flags.length);
});

const namesOf = (settings: readonly Setting[]): string =>
  settings.map(({ variable, flag }) => (flag === null ? variable : `${variable} --${flag}`)).join('\n');

// Look at the difference before you update: people have these names in their configurations.
it('the names of the settings stay', () => {
  expect(namesOf(serverSettingList)).toMatchInlineSnapshot(`
    "GEMINI_CLI_WORKING_DIR --working-dir
    GEMINI_MCP_ROOTS --roots
    GEMINI_MCP_PROJECTS --projects
    GEMINI_MCP_TRUSTED_DIRS --trusted-dirs
    GEMINI_MCP_ALLOW_SENSITIVE --allow-sensitive
    GEMINI_MCP_MODELS --models
    GEMINI_MCP_RUNNER --runner
    GEMINI_MCP_CLI --cli
    GEMINI_MCP_ALLOW_GOOGLE_LOGS --allow-google-logs
    GEMINI_CLI_TIMEOUT_MS --timeout-ms
    GEMINI_CLI_CHAT_TIMEOUT_MS --chat-timeout-ms
    GEMINI_CLI_SEARCH_TIMEOUT_MS --search-timeout-ms
    GEMINI_MCP_CALL_LIMIT_SECONDS --call-limit-seconds
    GEMINI_MCP_PAGE_BYTES --page-bytes
    GEMINI_MCP_PROFILE --profile
    GEMINI_MCP_MAX_RUNNING --max-running
    GEMINI_MCP_TOOLS --tools
    GEMINI_MCP_READ_ONLY --read-only
    GEMINI_MCP_ALLOW_YOLO --allow-yolo
    GEMINI_MCP_AGENT --agent
    GEMINI_MCP_TOOL_PATHS --tool-paths
    GEMINI_MCP_SERVERS_FILE --servers-file
    GEMINI_MCP_OFFER_SERVERS --offer-servers
    GEMINI_MCP_OFFER_AS --offer-as
    GEMINI_MCP_CREDENTIALS --credentials
    GEMINI_MCP_SESSION_RETENTION_DAYS --session-retention-days
    GEMINI_MCP_AUDIT --audit
    GEMINI_MCP_AUDIT_RETENTION_DAYS --audit-retention-days
    GEMINI_MCP_STATE_DIR --state-dir
    GEMINI_MCP_STORE --store
    GEMINI_MCP_STORE_PASSWORD_FILE --store-password-file
    GEMINI_MCP_STORE_PREFIX --store-prefix
    GEMINI_MCP_LOG_LEVEL --log-level"
  `);
  expect(namesOf(httpSettingList)).toMatchInlineSnapshot(`
    "GEMINI_MCP_HOST --host
    GEMINI_MCP_PORT --port
    GEMINI_MCP_STATEFUL --stateful
    GEMINI_MCP_PROJECT_TOOLS --project-tools
    GEMINI_MCP_HTTP_SHUTDOWN_SECONDS --http-shutdown-seconds
    GEMINI_MCP_TOKEN
    GEMINI_MCP_TOKEN_FILE --token-file
    GEMINI_MCP_PRINCIPALS_FILE --principals-file
    GEMINI_MCP_OAUTH_ISSUER --oauth-issuer
    GEMINI_MCP_OAUTH_AUDIENCE --oauth-audience
    GEMINI_MCP_ALLOWED_HOSTS --allowed-hosts
    GEMINI_MCP_ALLOWED_ORIGINS --allowed-origins
    GEMINI_MCP_HTTP_RATE_LIMIT --http-rate-limit"
  `);
});

it('a description and a default fit into one row of a table', () => {
  for (const { description, shownDefault } of everySetting) {
    expect(description + shownDefault).not.toMatch(/[\n|]/);
  }
});
