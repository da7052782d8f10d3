import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import {
  blocked,
  dailyQuota,
  empty,
  grounded,
  isJsonRecord,
  type JsonRecord,
  modelNotFound,
  type OfflineGeminiApi,
  startOfflineGeminiApi,
  text,
  toolCall,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { geminiCliUnderTest } from './gemini-cli-under-test.ts';

const MODEL = 'gemini-2.5-pro';
// Nothing here that the CLI would take for a command may be taken for one.
const MESSAGE =
  '# Task\n/init @.gemini/settings.json me@example.com \\@x $HOME `id` </file></session_context>\r\n\tCafé ✓ 😀 \u202e\n';

const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { maxAttempts: 1, retryFetchErrors: false, sessionRetention: { enabled: false }, plan: { enabled: false } },
  ui: { showCompatibilityWarnings: false },
  privacy: { usageStatisticsEnabled: false },
  advanced: { ignoreLocalEnv: true },
  model: { disableLoopDetection: true },
  context: { fileFiltering: { enableRecursiveFileSearch: false }, includeDirectoryTree: false },
  skills: { enabled: false },
};

let api: OfflineGeminiApi;
let home: string;

beforeAll(async () => {
  api = await startOfflineGeminiApi();
  home = await mkdtemp(join(tmpdir(), 'real-cli-'));
  await mkdir(join(home, 'workspace', '.gemini'), { recursive: true });
  await mkdir(join(home, 'tmp'));
  await writeFile(join(home, 'workspace', '.gemini', 'settings.json'), JSON.stringify(SETTINGS));
  await writeFile(join(home, 'workspace', '.geminiignore'), '*\n.*\n**/*\n');
  await writeFile(
    join(home, 'policy.toml'),
    [
      '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 900',
      '[[rule]]\ntoolName = ["google_web_search"]\ndecision = "allow"\npriority = 950\n',
    ].join('\n'),
  );
});

afterAll(async () => {
  await api.close();
  await rm(home, { recursive: true });
});

type CliRun = {
  readonly exitCode: number | null;
  readonly events: readonly JsonRecord[];
};

function startCli(input: string) {
  const { PATH = '' } = process.env;
  const child = spawn(
    process.execPath,
    [
      geminiCliUnderTest,
      `--model=${MODEL}`,
      '--output-format=stream-json',
      `--policy=${home}/policy.toml`,
      '--allowed-mcp-server-names=none',
    ],
    {
      cwd: join(home, 'workspace'),
      env: {
        PATH,
        HOME: home,
        TMPDIR: join(home, 'tmp'),
        NO_COLOR: '1',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_CLI_NO_RELAUNCH: '1',
        ...api.environment(),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  child.stdin.end(input);
  return child;
}

async function runCli(input: string): Promise<CliRun> {
  const child = startCli(input);
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stdout = await readText(child.stdout);
  const lines = stdout.split('\n').slice(0, -1);
  return { exitCode: await exit, events: lines.map((line): unknown => JSON.parse(line)).filter(isJsonRecord) };
}

function answerOf({ events }: CliRun): string {
  const deltas = events.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  return deltas.join('');
}

describe('the real Gemini CLI', () => {
  it('streams the text, counts the tokens, and delivers the message byte for byte', async () => {
    const before = api.requests.length;
    api.reply(text(['Hel', 'lo ✓'], { usage: { promptTokens: 1234, candidatesTokens: 5 } }));
    const run = await runCli(MESSAGE);
    expect(run.exitCode).toBe(0);
    expect(answerOf(run)).toBe('Hello ✓');
    expect(run.events.at(-1)).toMatchObject({
      type: 'result',
      status: 'success',
      stats: { models: { [MODEL]: { input_tokens: 1234, output_tokens: 5 } } },
    });
    expect(api.requests.slice(before)).toMatchObject([
      {
        method: 'streamGenerateContent',
        model: MODEL,
        apiKey: api.environment().GEMINI_API_KEY,
        functionNames: ['google_web_search'],
        userText: [expect.stringMatching(/^<session_context>/), MESSAGE],
      },
    ]);
  });

  it('searches the web with a request of its own', async () => {
    const before = api.requests.length;
    api.reply(({ hasGoogleSearch }, index) => {
      if (hasGoogleSearch) {
        return grounded('It rains.', [{ title: 'weather.example', url: 'https://weather.example/now' }]);
      }
      return index === 0 ? toolCall('google_web_search', { query: 'weather' }) : text('Take an umbrella.');
    });
    const run = await runCli(MESSAGE);
    expect(answerOf(run)).toBe('Take an umbrella.');
    const [, search, last] = api.requests.slice(before);
    expect(search).toMatchObject({ method: 'generateContent', hasGoogleSearch: true, userText: ['weather'] });
    expect(JSON.stringify(last?.contents.at(-1))).toContain('It rains.[1]');
    expect(JSON.stringify(last?.contents.at(-1))).toContain('[1] weather.example (https://weather.example/now)');
  });

  it.each([
    ['a missing model', modelNotFound(MODEL), 1, `[API Error: models/${MODEL} is not found for API version v1beta`],
    ['a daily quota', dailyQuota(), 173, '[API Error: You have exhausted your daily quota on this model.]'],
  ])('reports %s', async (_, reply, exitCode, message) => {
    api.reply(reply);
    const run = await runCli(MESSAGE);
    expect(run.exitCode).toBe(exitCode);
    expect(run.events.at(-1)).toMatchObject({
      type: 'result',
      status: 'error',
      error: { type: 'unknown', message: expect.stringContaining(message) },
    });
  });

  it.each([
    ['a blocked answer', blocked(), 'The model response was blocked due to safety settings.'],
    ['an empty answer', empty(), 'The model returned an empty response with no text or thoughts.'],
  ])('reports %s, and exits with 0', async (_, reply, message) => {
    api.reply(reply);
    const run = await runCli(MESSAGE);
    expect(run.exitCode).toBe(0);
    expect(run.events.slice(-2)).toMatchObject([
      { type: 'error', severity: 'error', message: expect.stringContaining(message) },
      { type: 'result', status: 'error' },
    ]);
  });

  it('is seen to go away in the middle of an answer', async () => {
    const before = api.requests.length;
    api.reply(text(['begun', { text: 'never', after: new Promise(() => {}) }]));
    const child = startCli(MESSAGE);
    const exit = new Promise((resolve) => child.once('exit', resolve));
    for await (const chunk of child.stdout) {
      if (String(chunk).includes('begun')) {
        break;
      }
    }
    child.kill('SIGTERM');
    await api.requests[before]?.whenAborted();
    expect(api.requests[before]?.aborted).toBe(true);
    // A killed run of the CLI calls itself a success.
    expect(await exit).toBe(0);
  });
});
