// Runs prompts of another MCP server, offered by the built server, as slash commands of Claude Code: their text has to reach its model.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchClaudeCode, runSlashCommand } from './clients/claude-code.mjs';
import { startMessagesApi } from './clients/messages-api.mjs';

const app = fileURLToPath(new URL('../apps/mcp-stdio/', import.meta.url));
const stdioServer = join(app, 'dist/gemini-mcp-server.cjs');
const everything = join(app, 'node_modules', '@modelcontextprotocol', 'server-everything', 'dist/index.js');

const commands = [
  { line: '/mcp__gemini__everything__simple-prompt', expected: 'This is a simple prompt without arguments.' },
  { line: '/mcp__gemini__everything__args-prompt Paris Texas', expected: "What's weather in Paris, Texas?" },
];

/** Resolves to null if the prompt's text reached the model, otherwise to what the model and the terminal got. */
async function tryCommand(command, { line, expected }) {
  const root = await mkdtemp(join(tmpdir(), 'gemini-mcp-claude-'));
  const asked = [];
  const api = await startMessagesApi({ nextCall: () => null, onAsked: (texts) => asked.push(...texts) });
  const servers = join(root, 'settings.json');
  await writeFile(
    servers,
    JSON.stringify({ mcpServers: { everything: { command: process.execPath, args: [everything] } } }),
    { mode: 0o600 },
  );
  const environment = {
    GEMINI_API_KEY: 'made-up',
    GEMINI_MCP_SERVERS_FILE: servers,
    GEMINI_MCP_OFFER_SERVERS: 'everything',
    XDG_STATE_HOME: join(root, 'state'),
  };
  const mcpServer = { command: process.execPath, args: [stdioServer], env: environment };
  try {
    const { stdout, stderr } = await runSlashCommand({ command, root, apiUrl: api.url, mcpServer, line });
    return asked.some((text) => text.includes(expected))
      ? null
      : `The model was asked ${JSON.stringify(asked).slice(0, 2_000)}. Printed: ${`${stdout}${stderr}`.slice(-1_000)}`;
  } finally {
    await api.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

const command = await fetchClaudeCode();
for (const each of commands) {
  const wrong = await tryCommand(command, each);
  process.stdout.write(`${each.line}: ${wrong ?? 'its text has reached the model'}\n`);
  process.exitCode = wrong === null ? process.exitCode : 1;
}
