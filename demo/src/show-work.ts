import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inOrder, startOfflineGeminiApi, text, toolCalls } from '@gemini-mcp/port-contracts/offline-api';
import { connectServer, type ShownResult } from './connect-server.ts';

const trackerPath = fileURLToPath(new URL('./tracker-server.js', import.meta.url));

const project: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'sum.js': 'export const sum = (a, b) => a - b;\n',
  'sum.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from './sum.js';\ntest('adds', () => assert.equal(sum(2, 3), 5));\n",
};

/** Gemini's steps, one after the other. */
const steps = inOrder(
  toolCalls([{ name: 'tracker__get_issue', args: { number: 7 } }]),
  toolCalls([{ name: 'view_file', args: { file_path: 'sum.js' } }]),
  toolCalls([{ name: 'change_file', args: { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' } }]),
  toolCalls([{ name: 'run_command', args: { command: 'npm test' } }]),
  text('The sum was a difference. It adds now.'),
);

/**
 * Runs gemini_agent on a temporary project, with a tool of another MCP server, against the offline Gemini API. Prints the server's questions to its
 * user on stdout. Resolves to the result.
 */
export async function showWork(serverPath: string): Promise<ShownResult> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-mcp-demo-')));
  const api = await startOfflineGeminiApi();
  api.reply(steps);
  try {
    const workingDirectory = join(root, 'project');
    await writeProject(root, workingDirectory);
    const server = await connectServer({
      serverPath,
      workingDirectory,
      inheritsSettings: false,
      environment: {
        ...api.environment(),
        GEMINI_MCP_RUNNER: 'api',
        GEMINI_MCP_STATE_DIR: join(root, 'state'),
        GEMINI_MCP_SERVERS_FILE: join(root, 'servers.json'),
        GEMINI_MCP_TOOL_PATHS: dirname(dirname(process.execPath)),
      },
      onQuestion: allowOnce,
    });
    const task = { task: 'Mend what issue 7 of the tracker is about, and run the test.', mode: 'full' };
    return await server.call('gemini_agent', task).finally(() => server.close());
  } finally {
    await api.close();
    await rm(root, { recursive: true });
  }
}

async function writeProject(root: string, directory: string): Promise<void> {
  await mkdir(directory);
  for (const [name, content] of Object.entries(project)) {
    await writeFile(join(directory, name), content);
  }
  const tracker = { command: process.execPath, args: [trackerPath] };
  await writeFile(join(root, 'servers.json'), JSON.stringify({ mcpServers: { tracker } }), { mode: 0o600 });
}

function allowOnce(question: string): string {
  console.log(`The server asks its user:\n${question}\nAnswered here: once.\n`);
  return 'once';
}
