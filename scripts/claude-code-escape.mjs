// Drives the built servers with a real client at its terminal: the Escape key of Claude Code has to end the call.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hang, startOfflineGeminiApi } from '../packages/port-contracts/dist/offline-api/index.js';
import { fetchClaudeCode, startClaudeCode } from './clients/claude-code.mjs';
import { startHttpServer } from './clients/http-server.mjs';
import { startMessagesApi } from './clients/messages-api.mjs';

const geminiCli = fileURLToPath(new URL('../node_modules/@google/gemini-cli/bundle/gemini.js', import.meta.url));
const stdioServer = fileURLToPath(new URL('../apps/mcp-stdio/dist/gemini-mcp-server.cjs', import.meta.url));

/** The promised limit, from the key press to the end of the request to Gemini. */
const limitMs = 1_000;
const startLimitMs = 45_000;
const token = 'a-token-of-the-tests-0123456789-abcdefghij';

const modes = [
  { name: 'stdio' },
  { name: 'HTTP without sessions', path: '/mcp', type: 'http', flags: [] },
  { name: 'HTTP with sessions', path: '/mcp', type: 'http', flags: ['--stateful'] },
];

/** Starts the HTTP server. Resolves to the settings that lead Claude Code to it, and a function that ends it. */
async function serveHttp({ path, type, flags }, environment) {
  const { origin, close } = await startHttpServer({ flags, environment: { ...environment, GEMINI_MCP_TOKEN: token } });
  return { mcpServer: { type, url: `${origin}${path}`, headers: { Authorization: `Bearer ${token}` } }, close };
}

function serve(mode, environment) {
  return mode.path === undefined
    ? { mcpServer: { command: process.execPath, args: [stdioServer], env: environment }, close: () => undefined }
    : serveHttp(mode, environment);
}

/** Resolves to whether the event came in time. */
function within(ms, event) {
  return Promise.race([event.then(() => true), delay(ms, false, { ref: false })]);
}

/** Resolves to the milliseconds until the request for an answer was given up, or to null if it was not. */
async function timeUntilGivenUp(api) {
  const startedAtMs = performance.now();
  const [request] = api.requests.filter(({ method }) => method === 'streamGenerateContent');
  while (performance.now() - startedAtMs < 10 * limitMs) {
    if (request?.aborted) {
      return performance.now() - startedAtMs;
    }
    await delay(5);
  }
  return null;
}

/** Presses the key while Gemini holds its answer back. Resolves to the milliseconds until the call ended, or to the reason if it did not. */
async function escapeCall({ claude, api }) {
  if (!(await within(startLimitMs, api.whenRequested(1)))) {
    return `Claude Code has not called the tool: ${claude.shown.slice(-2_000)}`;
  }
  claude.pressEscape();
  return (await timeUntilGivenUp(api)) ?? 'the call has not ended';
}

function callOnce(results) {
  return results.length === 0 ? { tool: 'gemini_query', args: { prompt: 'Hello' } } : null;
}

/** Sets up one mode, presses the key, and cleans up. Resolves to the outcome. */
async function tryMode(mode, command) {
  const root = await mkdtemp(join(tmpdir(), 'gemini-mcp-escape-'));
  const closers = [() => rm(root, { recursive: true, force: true, maxRetries: 5 })];
  const closing = (thing) => {
    closers.unshift(() => thing.close());
    return thing;
  };
  try {
    const api = closing(await startOfflineGeminiApi({ reply: hang() }));
    const messages = closing(await startMessagesApi({ nextCall: callOnce }));
    const { mcpServer } = closing(await serve(mode, await environmentOf(join(root, 'server'), api)));
    const claude = closing(await startClaudeCode({ command, root, apiUrl: messages.url, mcpServer }));
    return await escapeCall({ claude, api });
  } finally {
    for (const close of closers) {
      await close();
    }
  }
}

async function environmentOf(home, api) {
  await mkdir(home);
  const state = join(home, 'state');
  return {
    PATH: process.env.PATH,
    HOME: home,
    GEMINI_MCP_CLI: geminiCli,
    GEMINI_MCP_STATE_DIR: state,
    ...api.environment(),
  };
}

const command = await fetchClaudeCode();
for (const mode of modes) {
  const result = await tryMode(mode, command);
  const isOk = typeof result === 'number' && result < limitMs;
  const said = typeof result === 'number' ? `${Math.round(result)} ms after the key` : result;
  console.log(`${isOk ? 'ok' : 'NOT OK'}: Escape in Claude Code ends the call over ${mode.name}: ${said}`);
  process.exitCode = isOk ? process.exitCode : 1;
}
