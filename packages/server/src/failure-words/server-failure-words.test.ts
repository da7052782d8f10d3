import { type CallPurpose, failureAdvice, failureReason, type GeminiFailure } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { serverSettingList } from '../settings/server-settings.ts';
import { serverFailureWords } from './server-failure-words.ts';

const excerpt = '';
const newest = [{ id: 'a', title: 'A', model: null, turns: 1, bytes: 1, createdAtMs: 0, updatedAtMs: 0 }];
const allowed = 'the working directory of the server, GEMINI_MCP_ROOTS and GEMINI_MCP_TRUSTED_DIRS.';
const limits = 'GEMINI_MCP_MAX_RUNNING sets how many calls run at once; eight times as many can wait.';
const refusal = { measure: 'characters', actual: 2_000, limit: 1_000 } as const;

const table: readonly (readonly [GeminiFailure, CallPurpose, string])[] = [
  [
    { kind: 'cli-missing', detail: '' },
    'query',
    'Install it with `npm install -g @google/gemini-cli`, or set GEMINI_MCP_CLI to the path of the gemini executable. With an API key, only `sandbox` and `yolo` need it.',
  ],
  [
    { kind: 'runner-unavailable', excerpt },
    'query',
    'Update the CLI with `npm install -g @google/gemini-cli@latest`, or set GEMINI_MCP_RUNNER to `auto` or `headless`, which do not need that mode.',
  ],
  [
    { kind: 'authentication', problem: 'missing', excerpt },
    'query',
    'Make an API key at https://aistudio.google.com/apikey and store it with `gemini-mcp-server login`, or set GEMINI_API_KEY in the environment of this server.',
  ],
  [
    { kind: 'authentication', problem: 'rejected', excerpt },
    'query',
    'Check GEMINI_API_KEY (or the Vertex AI settings), or log in again by running `gemini` in a terminal.',
  ],
  [
    { kind: 'configuration', excerpt },
    'query',
    "Check the Gemini CLI's settings.json or the Vertex AI credentials, and make sure the state directory (GEMINI_MCP_STATE_DIR) is writable.",
  ],
  [
    { kind: 'unsupported', feature: 'sandbox' },
    'chat',
    'Leave that out of the call. To send files of a directory, name them in gemini_query. Only the Gemini CLI can do it: with GEMINI_MCP_RUNNER=auto such calls use an installed CLI.',
  ],
  [
    { kind: 'unsupported', feature: 'thinking' },
    'query',
    'Leave that out of the call, or name another model, such as gemini-3.8-flash. Only the Gemini API itself can do it: set GEMINI_MCP_RUNNER=auto and a key in GEMINI_API_KEY.',
  ],
  [
    { kind: 'unsupported', feature: 'login' },
    'query',
    'Make an API key at https://aistudio.google.com/apikey and store it with `gemini-mcp-server login`, or set GEMINI_API_KEY in the environment of this server.',
  ],
  [{ kind: 'unsupported', feature: 'media' }, 'query', 'Leave that out of the call.'],
  [
    { kind: 'context-too-large', refusal: null, setLimitBytes: 10, excerpt },
    'query',
    'Give a larger `max_bytes`, or name smaller files or some of their lines.',
  ],
  [
    { kind: 'resources-exhausted', detail: '' },
    'query',
    'Try again in a moment. If it keeps happening, the operator of this server must raise that limit or free resources.',
  ],
  [
    { kind: 'directory-refused', detail: '' },
    'query',
    `Name an existing directory inside the allowed ones: ${allowed}`,
  ],
  [{ kind: 'unknown-session', newest: [] }, 'chat', 'Begin a session with `chat`.'],
  [{ kind: 'unknown-session', newest }, 'chat', 'Name an existing session, or begin a new one with `chat`.'],
  [
    { kind: 'no-context', leftOut: [] },
    'query',
    'Check the names: they are relative to the working directory of the server (GEMINI_CLI_WORKING_DIR).',
  ],
  [
    { kind: 'no-context', leftOut: [{ path: '/etc/passwd', reason: 'outside-roots', origin: 'file' }] },
    'query',
    'Name files inside the allowed directories. The operator of this server can allow more with GEMINI_MCP_ROOTS.',
  ],
  [
    {
      kind: 'no-context',
      leftOut: [
        { path: '/etc/passwd', reason: 'outside-roots', origin: 'file' },
        { path: 'nope', reason: 'not-found', origin: 'file' },
      ],
    },
    'query',
    'Check the names: they are relative to the working directory of the server (GEMINI_CLI_WORKING_DIR).',
  ],
  [{ kind: 'model-not-found', excerpt }, 'query', 'Name another model, or leave `model` out to let the server choose.'],
  [
    { kind: 'context-too-large', refusal, excerpt },
    'query',
    'It comes to 2,000 characters, and 1,000 is the limit. Name fewer or smaller files, or ask about a part of them.',
  ],
  [
    { kind: 'context-too-large', refusal: null, excerpt },
    'chat',
    'Send a shorter message. If the conversation has grown too long, begin a new one with `chat` and summarize the old one in the first message.',
  ],
  [{ kind: 'timeout' }, 'query', 'Give a longer `timeout`, name fewer files, or choose a faster model.'],
  [
    { kind: 'timeout' },
    'chat',
    'Ask for less at once, or choose a faster model. GEMINI_CLI_CHAT_TIMEOUT_MS sets how long this server waits.',
  ],
  [
    { kind: 'timeout' },
    'search',
    'Ask for less at once, or choose a faster model. GEMINI_CLI_SEARCH_TIMEOUT_MS sets how long this server waits.',
  ],
  [{ kind: 'busy', retryAfterMs: null }, 'query', `Try again when a running call has ended. ${limits}`],
  [{ kind: 'busy', retryAfterMs: 1_500 }, 'query', `Try again in 2 seconds. ${limits}`],
];

describe('serverFailureWords', () => {
  it.each(table)('advise on %j in a %s', (failure, purpose, advice) => {
    expect(failureAdvice(failure, purpose, serverFailureWords)).toBe(advice);
  });

  it('name no setting that the server does not have', () => {
    const names = new Set(serverSettingList.map(({ variable }) => variable));
    const named = table.flatMap(([, , advice]) => advice.match(/GEMINI_(?:MCP|CLI)_\w+/g) ?? []);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  it.each([
    [{ kind: 'unsupported', feature: 'media' }, 'this server cannot send these media'],
    [{ kind: 'unsupported', feature: 'login' }, 'the Gemini API has no login'],
    [{ kind: 'resources-exhausted', detail: '' }, 'this machine has run out of a resource that a call needs'],
    [{ kind: 'timeout' }, 'no answer in time'],
  ] as const)('say what happened: %j', (failure, reason) => {
    expect(failureReason(failure, serverFailureWords)).toBe(reason);
  });
});
