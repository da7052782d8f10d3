import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { GeminiRunner } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import * as fake from '@gemini-mcp/fake-gemini';
import * as offline from '@gemini-mcp/port-contracts/offline-api';
import { describe, expect, it } from 'vitest';
import { findMarkedProcesses } from '../../processes/marked-processes.ts';
import { CliGeminiRunner, type CliGeminiRunnerOptions } from '../cli-gemini-runner.ts';
import { shownStderrCharacters } from '../cli-limits.ts';
import { WarmGeminiRunner } from '../warm/warm-gemini-runner.ts';
import type { CliOutcome } from './cli-outcome.ts';

// Records the outcome of a CLI run in each known situation, for the table of failures next to this file:
//   pnpm --filter @gemini-mcp/adapters-node record-outcomes
// It takes minutes, so nothing here runs without RECORD_OUTCOMES. Without `--update` the files are compared instead of
// written, which shows the differences of another version of the CLI.

const require = createRequire(import.meta.url);
const manifestFile = require.resolve('@google/gemini-cli/package.json');
const realCli = join(dirname(manifestFile), 'bundle', 'gemini.js');
const recordedDirectory = fileURLToPath(new URL('./recorded/', import.meta.url));

/** Done to a run from outside, once its request has reached the API or the fake CLI has said that it is ready. */
type Interruption = 'cancel' | 'time out' | 'SIGKILL' | 'SIGTERM';

type Recording = {
  readonly situation: string;
  readonly reply?: offline.Reply;
  /** To the second and later requests. */
  readonly nextReply?: offline.Reply;
  readonly interruption?: Interruption;
  /** Whether that is done once text has come, not once the request has. */
  readonly isAmidAnswer?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** JavaScript that the real CLI's process runs first: arranges what our runner would never let happen. */
  readonly before?: string;
  /** What the fake CLI does, where the real one cannot be brought to do it. */
  readonly steps?: readonly fake.CliStep[];
  readonly input?: string;
  readonly model?: string;
};

function apiFails(reply: Extract<offline.Reply, { kind: 'error' }>): Recording {
  return { situation: `the API answers with HTTP ${reply.status}`, reply };
}

function apiSays(code: number, status: string, message: string): Recording {
  return apiFails(offline.apiError({ code, status, message }));
}

function finishesWithoutText(reason: string): Recording {
  return { situation: `no text, finish reason ${reason}`, reply: offline.blocked('', reason) };
}

function endsWith(message: string, code: number): Recording {
  const result = { do: 'result', status: 'error', error: { type: 'Error', message } } as const;
  const steps: fake.CliStep[] = [...fake.cliOpening(), result, { do: 'exit', code }];
  return { situation: `an error with exit code ${code}`, steps };
}

/** Answers as Google's login API inside the CLI's process, so that nothing leaves this machine. */
function googleLogin(status: number, body: unknown): Recording {
  const before = `
    const { createServer } = await import('node:http');
    const { once } = await import('node:events');
    const body = ${JSON.stringify(JSON.stringify(body))};
    const server = createServer((_, response) => response.writeHead(${status}).end(body)).unref();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    process.env.CODE_ASSIST_ENDPOINT = 'http://127.0.0.1:' + server.address().port;
    process.env.GOOGLE_CLOUD_ACCESS_TOKEN = 'none';
    globalThis.fetch = () => Promise.reject(new Error('offline'))`;
  return { situation: `Google's login API answers with HTTP ${status}`, environment: useGoogleLogin, before };
}

function editSettings(edit: string): string {
  return `
    const { readFileSync, writeFileSync } = await import('node:fs');
    const settings = JSON.parse(readFileSync(${settingsFile}, 'utf8'));
    ${edit};
    writeFileSync(${settingsFile}, JSON.stringify(settings))`;
}

const noLogin = { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined };
const useGoogleLogin = { ...noLogin, GOOGLE_GENAI_USE_GCA: 'true' };
const unusedAddress = 'http://127.0.0.1:1';
/** The run's own, in its private home. */
const settingsFile = "process.env.GEMINI_CLI_HOME + '/.gemini/settings.json'";

// As reported by those whom it met, on 0.58.0.
const retiredTier = {
  reasonCode: 'UNSUPPORTED_CLIENT',
  reasonMessage:
    'This client is no longer supported for Gemini Code Assist for individuals. To continue using Gemini, please migrate to the Antigravity suite of products: https://antigravity.google',
  tierId: 'free-tier',
  tierName: 'Gemini Code Assist for individuals',
};

// The shape of a real answer: the delay comes after more text than a failure shows.
const severalQuotas = [
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. To monitor your current usage, head to: https://ai.dev/rate-limit. ',
  '* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_input_token_count, limit: 250000, model: gemini-2.5-pro',
  '* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 5, model: gemini-2.5-pro',
  'Please retry in 36.387s.',
].join('\n');

const spentUntil = (moment: string): Recording =>
  apiSays(
    429,
    'RESOURCE_EXHAUSTED',
    `You have exhausted your capacity on this model. Your quota will reset after ${moment}.`,
  );

const startsOfRealCli: Readonly<Record<string, Recording>> = {
  'no-login': { situation: 'no login of any kind', environment: noLogin },
  'no-login-for-base-url': { situation: 'a base URL and no login', environment: { GEMINI_API_KEY: undefined } },
  'no-key': { situation: 'login by a key, and no key', before: 'delete process.env.GEMINI_API_KEY' },
  'no-vertex-project': { situation: 'no project', environment: { ...noLogin, GOOGLE_GENAI_USE_VERTEXAI: 'true' } },
  'google-login-never-done': { situation: 'login with Google, which was never done', environment: useGoogleLogin },
  'google-login-retired-tier': {
    ...googleLogin(200, { currentTier: { id: 'free-tier' }, ineligibleTiers: [retiredTier] }),
    situation: "Google's login API no longer lets personal accounts in",
  },
  'google-login-unauthorized': googleLogin(401, { error: { code: 401, message: 'Invalid credentials' } }),
  'google-login-forbidden': googleLogin(403, { error: { code: 403, message: 'Permission denied' } }),
  'google-login-rate-limited': googleLogin(429, { error: { code: 429, message: 'Quota exceeded' } }),
  'google-login-unavailable': googleLogin(503, { error: { code: 503, message: 'Try again later' } }),
  'google-login-offline': {
    situation: "Google's login API cannot be reached",
    environment: useGoogleLogin,
    before: `${googleLogin(200, {}).before}; process.env.CODE_ASSIST_ENDPOINT = '${unusedAddress}'`,
  },
  'input-not-accepted': { situation: 'nothing to resume', before: "process.argv.push('--resume=none')" },
  'sandbox-missing': { situation: 'a sandbox that is missing', before: "process.env.GEMINI_SANDBOX = 'podman'" },
  'sandbox-without-image': {
    situation: 'a sandbox whose image is not there',
    before: [
      "const { mkdirSync, writeFileSync } = await import('node:fs')",
      "const bin = process.env.TMPDIR + '/bin'",
      'mkdirSync(bin)',
      "writeFileSync(bin + '/docker', '#!/bin/sh\\nexit 1\\n', { mode: 0o755 })",
      "process.env.PATH = bin + ':' + process.env.PATH",
      "process.env.GEMINI_SANDBOX = 'docker'",
    ].join('; '),
  },
  'settings-broken': {
    situation: 'settings.json is invalid JSON',
    before: `(await import('node:fs')).writeFileSync(${settingsFile}, '{')`,
  },
  'untrusted-workspace': {
    situation: 'a working directory that is not trusted',
    before: 'delete process.env.GEMINI_CLI_TRUST_WORKSPACE',
  },
  'unknown-flag': { situation: 'a flag of tomorrow', before: "process.argv.push('--flag-of-tomorrow')" },
};

const runsOfRealCli: Readonly<Record<string, Recording>> = {
  answer: { situation: 'an answer', reply: offline.text(['Hel', 'lo']) },
  'answer-cut-by-safety': { situation: 'text, finish reason SAFETY', reply: offline.blocked('Half an ans') },
  'answer-cut-by-length': { situation: 'text, finish reason MAX_TOKENS', reply: offline.blocked('Half', 'MAX_TOKENS') },
  'answer-malformed-call': {
    situation: 'text, finish reason MALFORMED_FUNCTION_CALL',
    reply: offline.blocked('Half', 'MALFORMED_FUNCTION_CALL'),
  },
  'no-finish-reason-after-tool': {
    situation: 'a tool, then text and no finish reason',
    reply: offline.toolCall('update_topic', { title: 'a', summary: 'b', strategic_intent: 'c' }),
    nextReply: offline.noFinish(['Half an ans']),
  },
  cancelled: { situation: 'cancelled while the API hangs', reply: offline.hang(), interruption: 'cancel' },
  'timed-out': {
    situation: 'the deadline passes while the API hangs',
    reply: offline.hang(),
    interruption: 'time out',
  },
  'killed-by-another': { situation: 'SIGKILL from somebody else', reply: offline.hang(), interruption: 'SIGKILL' },
  'killed-amid-answer': {
    situation: 'SIGKILL from somebody else amid an answer',
    reply: offline.text(['Half', { text: ' an answer', after: new Promise(() => undefined) }]),
    interruption: 'SIGKILL',
    isAmidAnswer: true,
  },
  'terminated-by-another': { situation: 'SIGTERM from somebody else', reply: offline.hang(), interruption: 'SIGTERM' },
  'turn-limit': {
    situation: 'the model calls a tool although one turn is allowed',
    before: editSettings('settings.model = { ...settings.model, maxSessionTurns: 1 }'),
    reply: offline.toolCall('update_topic', { title: 'a', summary: 'b', strategic_intent: 'c' }),
  },
  'over-window': {
    situation: 'a message over the window of the model',
    // The smallest window that the CLI knows: of all others more than we would send it.
    model: 'gemma-4-31b-it',
    input: 'word '.repeat(400_000),
  },
  'key-rejected': apiFails(offline.invalidApiKey()),
  'too-many-tokens': apiFails(offline.tokenCountExceeded()),
  'bad-request': apiSays(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.'),
  unauthorized: apiFails(offline.unauthorized()),
  'permission-denied': apiFails(offline.permissionDenied()),
  'model-not-found': apiFails(offline.modelNotFound('gemini-2.5-pro')),
  'entity-not-found': apiSays(404, 'NOT_FOUND', 'Requested entity was not found.'),
  'payload-too-large': apiSays(413, 'INVALID_ARGUMENT', 'Request payload size exceeds the limit: 20971520 bytes.'),
  'rate-limited': apiFails(offline.plain429()),
  'rate-limited-with-delay': apiFails(offline.rateLimited(2)),
  'rate-limited-at-length': apiSays(429, 'RESOURCE_EXHAUSTED', severalQuotas),
  'quota-of-the-day': apiFails(offline.dailyQuota()),
  'quota-of-zero': apiFails(offline.zeroQuota()),
  'quota-renewed-in-hours': spentUntil('8h44m7s'),
  'quota-renewed-in-seconds': spentUntil('5s'),
  'no-capacity': apiFails(offline.capacityExhausted()),
  'no-capacity-503': apiFails(offline.capacityExhausted(503)),
  'api-cancelled': apiSays(499, 'CANCELLED', 'The operation was cancelled.'),
  'api-internal': apiFails(offline.internal()),
  'api-bad-gateway': apiSays(502, 'UNAVAILABLE', 'The model server is unavailable.'),
  'api-deadline': apiFails(offline.deadline()),
  overloaded: apiFails(offline.overloaded()),
  'overloaded-by-demand': apiSays(503, 'UNAVAILABLE', 'This model is currently experiencing high demand.'),
  'connection-refused': {
    situation: 'connection refused at the base URL',
    environment: { GOOGLE_GEMINI_BASE_URL: unusedAddress },
  },
  'connection-cut-early': { situation: 'the API closes the connection at once', reply: offline.cut([]) },
  'connection-cut-late': { situation: 'the API closes the connection amid its answer', reply: offline.cut(['Half']) },
  'empty-answer': { situation: 'an answer without any part', reply: offline.empty() },
  'empty-but-for-thoughts': { situation: 'thoughts, and nothing else', reply: offline.thoughtsOnly() },
  'empty-at-token-limit': finishesWithoutText('MAX_TOKENS'),
  'empty-malformed-call': finishesWithoutText('MALFORMED_FUNCTION_CALL'),
  'empty-unexpected-call': finishesWithoutText('UNEXPECTED_TOOL_CALL'),
  'no-finish-reason': { situation: 'text, and no finish reason', reply: offline.noFinish(['Half an ans']) },
  'blocked-prompt': { situation: 'no candidate, a promptFeedback', reply: offline.promptBlocked() },
  'blocked-safety': finishesWithoutText('SAFETY'),
  'blocked-recitation': finishesWithoutText('RECITATION'),
  'blocked-other': finishesWithoutText('OTHER'),
};

/** The outcomes that differ in session mode; aborts and the like look the same in both. */
const sessionSituations = [
  ...['answer', 'answer-cut-by-safety', 'answer-cut-by-length', 'answer-malformed-call', 'cancelled', 'timed-out'],
  ...['key-rejected', 'too-many-tokens', 'bad-request', 'unauthorized', 'permission-denied', 'model-not-found'],
  ...['payload-too-large', 'rate-limited', 'rate-limited-with-delay', 'quota-of-the-day', 'quota-of-zero'],
  ...['quota-renewed-in-hours', 'quota-renewed-in-seconds', 'no-capacity', 'api-internal', 'api-bad-gateway'],
  ...['api-deadline', 'overloaded', 'connection-refused', 'connection-cut-early', 'connection-cut-late'],
  ...['empty-answer', 'empty-but-for-thoughts', 'no-finish-reason', 'blocked-prompt', 'blocked-safety'],
  ...['turn-limit', 'over-window', 'killed-amid-answer'],
];

const runsOfFakeCli: Readonly<Record<string, Recording>> = {
  'login-prompt': {
    situation: 'the address of a login page, and a wait for its code',
    steps: [...fake.cliLoginPrompt().slice(0, -1), { do: 'touch', file: 'ready' }, { do: 'hang' }],
    interruption: 'time out',
  },
  'tool-denied': { situation: 'a tool that failed for good', steps: fake.cliFatalRun(54) },
  'cancelled-itself': { situation: 'the CLI cancelled itself', steps: fake.cliFatalRun(130) },
  'crashed-by-signal': {
    situation: 'a segmentation fault',
    steps: [...fake.cliOpening(), { do: 'kill-self', signal: 'SIGSEGV' }],
  },
  'crashed-with-code': { situation: 'a shell reports one', steps: [...fake.cliOpening(), { do: 'exit', code: 139 }] },
  'endless-output': { situation: 'more output than any answer is', steps: fake.cliEndlessText(60_000_000) },
  'response-empty': { situation: 'JSON instead of events, its response empty', steps: fake.cliEmptyResponse() },
  silence: { situation: 'exit code 0, and not a word', steps: [{ do: 'read-stdin' }] },
  'success-without-text': { situation: 'success, and not a word', steps: fake.cliAnswer([]) },
  garbage: {
    situation: 'exit code 0, and no events',
    steps: [{ do: 'read-stdin' }, { do: 'write', to: 'stdout', text: '\u001b[31m%PDF-1.7\u0007\n{"type":"result"\n' }],
  },
  'not-found-by-code': endsWith('[API Error: Nothing is here.]', 404 % 256),
  'blocked-in-words': {
    situation: 'a blocked answer without a report',
    steps: fake.cliInvalidAnswer('The model response was blocked due to safety settings.'),
  },
  'quota-in-words': endsWith('RESOURCE_EXHAUSTED', 1),
  'overload-in-words': endsWith('The model is overloaded.', 1),
  unknown: endsWith('Colourless green ideas sleep furiously.', 1),
};

type Mode = 'headless' | 'warm';

type Scene = {
  readonly root: string;
  readonly runsDirectory: string;
  readonly api: offline.OfflineGeminiApi;
  readonly mode: Mode;
};

/** The outcome that the runner reports of the run. */
async function record(recording: Recording, { root, runsDirectory, api, mode }: Scene): Promise<CliOutcome> {
  const { environment, input = 'What is the answer?', model = 'gemini-2.5-pro' } = recording;
  const { interruption, isAmidAnswer = false } = recording;
  const { reply = offline.text('not recorded'), nextReply = reply } = recording;
  api.reply(offline.inOrder(reply, nextReply));
  const clock = new FakeClock();
  const cancellation = new AbortController();
  const outcomes: (CliOutcome | null)[] = [];
  const { runner, close } = openRunner(mode, {
    clock,
    environment: {
      PATH: process.env['PATH'],
      HOME: root,
      GEMINI_MCP_CLI: await placeCli(recording, root),
      ...api.environment(),
      ...environment,
    },
    runsDirectory,
    userDirectory: join(root, '.gemini'),
    onRun: (report) => outcomes.push(...(report.type === 'ended' ? [report.outcome] : [])),
  });
  const interrupt: Readonly<Record<Interruption, () => void | Promise<void>>> = {
    cancel: () => cancellation.abort(),
    'time out': () => clock.advance(60_000),
    SIGKILL: () => signalRuns(runsDirectory, 'SIGKILL'),
    SIGTERM: () => signalRuns(runsDirectory, 'SIGTERM'),
  };
  if (interruption !== undefined && !isAmidAnswer) {
    const isReady = recording.steps === undefined ? api.whenRequested(1) : fake.whenFileExists(root, 'ready');
    void isReady.then(interrupt[interruption]);
  }
  const request = { model, input, deadlineAtMs: clock.now() + 60_000 };
  for await (const event of runner.run(request, cancellation.signal)) {
    // The run report is recorded, not the events.
    if (interruption !== undefined && isAmidAnswer && event.type === 'text') {
      await interrupt[interruption]();
    }
  }
  await close();
  const [outcome, ...others] = outcomes;
  if (outcome == null || others.length > 0) {
    throw new Error('The run left no outcome, or several.');
  }
  return outcome;
}

type OpenRunner = { readonly runner: GeminiRunner; readonly close: () => Promise<void> };

function openRunner(mode: Mode, options: CliGeminiRunnerOptions): OpenRunner {
  if (mode === 'headless') {
    return { runner: new CliGeminiRunner(options), close: async () => undefined };
  }
  const runner = new WarmGeminiRunner({ ...options, limits: { spareSessions: 0 } });
  return { runner, close: () => runner.close() };
}

async function placeCli({ before, steps }: Recording, root: string): Promise<string> {
  if (steps !== undefined) {
    return fake.createFakeGeminiCli({ directory: root, scenario: { runs: [steps] } });
  }
  if (before === undefined) {
    return realCli;
  }
  const wrapper = join(root, 'gemini.mjs');
  await writeFile(wrapper, `${before};\nawait import(${JSON.stringify(pathToFileURL(realCli).href)});\n`);
  return wrapper;
}

async function signalRuns(runsDirectory: string, signal: NodeJS.Signals): Promise<void> {
  for (const pid of findMarkedProcesses(new Set(await readdir(runsDirectory)))) {
    process.kill(pid, signal);
  }
}

/** Takes out what belongs to one machine, one moment or one run. */
function withoutNoise(said: string, root: string): string {
  return said
    .replaceAll(root, '<root>')
    .replaceAll(dirname(realCli), '<cli>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g, '<time>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
    .replaceAll(/(localPort|remotePort|bytesWritten|bytesRead|timeOfFirstRequest): \d+/g, '$1: <number>')
    .replaceAll(/port: '\d+'/g, "port: '<port>'");
}

/** Where the cut through a long stderr falls depends on the length of this machine's paths. */
function fromWholeLine(stderr: string): string {
  return stderr.length < shownStderrCharacters ? stderr : stderr.slice(stderr.indexOf('\n') + 1);
}

type Source = { readonly source: string; readonly mode: Mode };

async function recordSample({ source, mode }: Source, name: string, recording: Recording): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-mcp-record-')));
  const api = await offline.startOfflineGeminiApi();
  try {
    const runsDirectory = join(root, 'runs');
    const { termination, ...outcome } = await record(recording, { root, runsDirectory, api, mode });
    const stderr = fromWholeLine(outcome.stderr);
    const sample = { source, situation: recording.situation, outcome: { termination, ...outcome, stderr } };
    const json = withoutNoise(JSON.stringify(sample, null, 2), root);
    await expect(`${json}\n`).toMatchFileSnapshot(join(recordedDirectory, `${name}.json`));
  } finally {
    await api.close();
    await rm(root, { recursive: true, force: true });
  }
}

const gemini = `gemini-cli ${require(manifestFile).version}`;

/** In the session mode the same situations look otherwise: no exit codes, and errors with a code of the protocol. */
const sessionsOfRealCli = Object.fromEntries(
  sessionSituations.map((name) => [`session-${name}`, runsOfRealCli[name] ?? { situation: name }]),
);

describe.runIf(process.env['RECORD_OUTCOMES'] === '1').each<[Source, Readonly<Record<string, Recording>>]>([
  [
    { source: gemini, mode: 'headless' },
    { ...startsOfRealCli, ...runsOfRealCli },
  ],
  [{ source: `${gemini} in session mode`, mode: 'warm' }, sessionsOfRealCli],
  [{ source: 'fake cli', mode: 'headless' }, runsOfFakeCli],
])('outcomes of $source', (source, recordings) => {
  it.each(Object.entries(recordings))('%s', (name, recording) => recordSample(source, name, recording));
});
