import { expect, it } from 'vitest';
import { settingList } from './server-settings.ts';

it('no variable and no flag stands for two settings', () => {
  expect(new Set(settingList.map(({ variable }) => variable)).size).toBe(settingList.length);
  expect(new Set(settingList.map(({ flag }) => flag)).size).toBe(settingList.length);
});

it('the names that people have in their configurations stay', () => {
  expect(settingList.map(({ variable, flag }) => `${variable} --${flag}`)).toEqual([
    'GEMINI_CLI_WORKING_DIR --working-dir',
    'GEMINI_MCP_ROOTS --roots',
    'GEMINI_MCP_TRUSTED_DIRS --trusted-dirs',
    'GEMINI_MCP_ALLOW_SENSITIVE --allow-sensitive',
    'GEMINI_MCP_MODELS --models',
    'GEMINI_MCP_CLI --cli',
    'GEMINI_CLI_TIMEOUT_MS --timeout-ms',
    'GEMINI_CLI_CHAT_TIMEOUT_MS --chat-timeout-ms',
    'GEMINI_CLI_SEARCH_TIMEOUT_MS --search-timeout-ms',
    'GEMINI_CLI_MAX_TIMEOUT_MS --max-timeout-ms',
    'GEMINI_MCP_MAX_RUNNING --max-running',
    'GEMINI_MCP_MAX_QUEUED --max-queued',
    'GEMINI_MCP_RUNNER --runner',
    'GEMINI_MCP_PREWARM --prewarm',
    'GEMINI_MCP_WARM_PROCESSES --warm-processes',
    'GEMINI_MCP_WARM_IDLE_SECONDS --warm-idle-seconds',
    'GEMINI_MCP_WARM_MEMORY_MB --warm-memory-mb',
    'GEMINI_MCP_KEEP_CONTROL_CHARACTERS --keep-control-characters',
    'GEMINI_MCP_TOOLS --tools',
    'GEMINI_MCP_READ_ONLY --read-only',
    'GEMINI_MCP_ALLOW_YOLO --allow-yolo',
    'GEMINI_MCP_SESSION_RETENTION_DAYS --session-retention-days',
    'GEMINI_MCP_STATE_DIR --state-dir',
    'GEMINI_MCP_LOG_LEVEL --log-level',
  ]);
});

it('a description and a default fit into one row of a table', () => {
  for (const { description, shownDefault } of settingList) {
    expect(description + shownDefault).not.toMatch(/[\n|]/);
  }
});
