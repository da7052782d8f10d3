// Shows the question about a command in Claude Code's terminal, which tmux draws: the first lines that it shows have to say what will run, and where.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { startOfflineGeminiApi, text, toolCall } from '../packages/port-contracts/dist/offline-api/index.js';
import { environmentOf, fetchClaudeCode, settle } from './clients/claude-code.mjs';
import { startMessagesApi } from './clients/messages-api.mjs';

const stdioServer = fileURLToPath(new URL('../apps/mcp-stdio/dist/gemini-mcp-server.cjs', import.meta.url));
const question = 'npm install left-pad';
const waitMs = 60_000;

/** A terminal of 100 columns, without the settings of this machine's user. */
function terminal(socket, env) {
  const run = (args, stdio) =>
    execa('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], { env, extendEnv: false, reject: false, stdio });
  return {
    // The server of tmux would keep pipes open.
    start: (words) => run(['new-session', '-d', '-x', '100', '-y', '40', ...words], 'ignore'),
    press: (key) => run(['send-keys', key], 'pipe'),
    read: async () => (await run(['capture-pane', '-p'], 'pipe')).stdout ?? '',
    close: () => run(['kill-server'], 'pipe'),
  };
}

/** Resolves to the screen once it shows a text, or to the last one in time. */
async function screenWith(pane, pattern) {
  const endAtMs = performance.now() + waitMs;
  let screen = '';
  while (!pattern.test(screen) && performance.now() < endAtMs) {
    await delay(250);
    screen = await pane.read();
  }
  return screen;
}

async function showQuestion(root) {
  const api = await startOfflineGeminiApi({
    reply: (_, index) => (index === 0 ? toolCall('run_command', { command: question }) : text('Done.')),
  });
  const messages = await startMessagesApi({
    nextCall: (results) =>
      results.length === 0 ? { tool: 'gemini_agent', args: { task: 'Install it.', mode: 'full' } } : null,
  });
  const env = { ...api.environment(), GEMINI_MCP_AGENT: 'full' };
  const server = { command: process.execPath, args: [stdioServer], env };
  const { configuration, home, project } = await settle(root, server);
  const pane = terminal(join(root, 'tmux'), { ...environmentOf(home, messages.url), LANG: 'C.UTF-8' });
  try {
    const flags = ['--mcp-config', configuration, '--strict-mcp-config', '--allowedTools', 'mcp__gemini__gemini_agent'];
    await pane.start(['-c', project, await fetchClaudeCode(), ...flags, '--', 'Install left-pad.']);
    const asked = await screenWith(pane, /requests your input[\s\S]*Your choice/);
    await pane.press('Right');
    return { project, asked, choices: await screenWith(pane, /\bonce\b/i) };
  } finally {
    await Promise.all([pane.close(), api.close(), messages.close()]);
  }
}

const root = await mkdtemp(join(tmpdir(), 'gemini-mcp-question-'));
try {
  const { project, asked, choices } = await showQuestion(root);
  const lines = asked.split('\n').map((line) => line.trim());
  const [first, second] = lines
    .slice(lines.findIndex((line) => line.includes('requests your input')) + 1)
    .filter(Boolean);
  const isOk = first === `| ${question}` && second?.startsWith(`in ${project}, without the network`);
  console.log(`${choices.trim()}\n\n${isOk ? 'ok' : 'NOT OK'}: the first two lines say what will run, and where`);
  process.exitCode = isOk ? 0 : 1;
} finally {
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}
