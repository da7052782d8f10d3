// Claude Code with or without a terminal, offline: fetched by npx, with a made-up home, key and API.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { fetchCommand } from './fetch-command.mjs';
import { startMessagesApi } from './messages-api.mjs';
import { runToEnd } from './run-to-end.mjs';

const version = '2.1.330';
const key = 'made-up-key-of-the-tests-0000000000000000';

const quiet = {
  TERM: 'xterm-256color',
  SHELL: '/bin/sh',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
};

/** Fetches the pinned version. Resolves to the path of its command. */
export function fetchClaudeCode() {
  return fetchCommand({ packageName: '@anthropic-ai/claude-code', version, command: 'claude' });
}

/**
 * How to test Claude Code: its name for `--print-config` and `setup`, its name in the advice on a missing login, its program, its model, and how to
 * add the server and ask it.
 */
export const claudeCode = {
  name: 'claude-code',
  placeOfKey: 'GEMINI_API_KEY',
  program: 'claude',
  fetch: fetchClaudeCode,
  startModel: startMessagesApi,
  add,
  ask,
};

/** Runs the line that `--print-config` printed. Rejects if it fails. */
async function add({ command, project, printed, environment }) {
  const line = printed.split('\n').find((text) => text.startsWith('claude mcp add ')) ?? 'false';
  const words = ['-c', `${quote(command)}${line.slice('claude'.length)}`];
  await execa('sh', words, { cwd: project, env: { ...quiet, ...environment }, extendEnv: false });
}

/**
 * Asks one question in `project`, from a shell with these variables. Resolves to the exit code and the output. `running` is for `runToEnd`.
 */
function ask({ command, project, modelUrl, environment, sentence = 'Ask Gemini.', ...running }) {
  const { HOME } = environment;
  const env = { ...environment, ...environmentOf(HOME, modelUrl), PATH: environment.PATH };
  const words = ['-p', '--allowedTools', 'mcp__gemini', '--', sentence];
  return runToEnd(command, words, { ...running, cwd: project, env });
}

/** Runs one slash command of an MCP server named `gemini`, without a terminal. Resolves to the exit code and the output. */
export async function runSlashCommand({ command, root, apiUrl, mcpServer, line }) {
  const { configuration, home, project } = await settle(root, mcpServer);
  const words = ['-p', '--mcp-config', configuration, '--strict-mcp-config', '--', line];
  return runToEnd(command, words, { cwd: project, env: environmentOf(home, apiUrl) });
}

/** Makes a home and a project in `root`, with the settings of one MCP server. Resolves to their paths. */
export async function settle(root, mcpServer) {
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  await Promise.all([home, project].map((path) => mkdir(path, { recursive: true })));
  const configuration = join(root, 'mcp.json');
  await writeFile(configuration, JSON.stringify({ mcpServers: { gemini: mcpServer } }));
  await writeFile(join(home, '.claude.json'), JSON.stringify(settledState(project)));
  return { configuration, home, project };
}

/** Starts Claude Code with one prompt and one MCP server named `gemini`, whose tools it may call without asking. */
export async function startClaudeCode({ command, root, apiUrl, mcpServer }) {
  const { configuration, home, project } = await settle(root, mcpServer);
  const words = [
    command,
    '--mcp-config',
    configuration,
    '--strict-mcp-config',
    '--allowedTools',
    'mcp__gemini__gemini_query',
  ];
  const line = `stty rows 40 cols 120; exec ${[...words, '--', 'Ask Gemini.'].map(quote).join(' ')}`;
  const child = spawn('script', ['-q', '-f', '-e', '-c', line, '/dev/null'], {
    cwd: project,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
    env: environmentOf(home, apiUrl),
  });
  return atTerminal(child);
}

/** The variables of Claude Code, with its home and the address of its API. */
export function environmentOf(home, apiUrl) {
  return { ...quiet, PATH: process.env.PATH, HOME: home, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: apiUrl };
}

function atTerminal(child) {
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    shown += piece;
  });
  const closed = once(child, 'close');
  return {
    get shown() {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are commands to a terminal between the text.
      return shown.replace(/\u001b\[[0-9;?]*[a-zA-Z]/g, '');
    },
    pressEscape: () => child.stdin.write('\u001b'),
    close: async () => {
      process.kill(-child.pid, 'SIGTERM');
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 3_000).unref())]);
      if (child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid, 'SIGKILL');
        await closed;
      }
    },
  };
}

/** The state that Claude Code keeps for a user who has answered all its first questions. */
function settledState(project) {
  return {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: version,
    theme: 'dark',
    numStartups: 5,
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
}

function quote(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
