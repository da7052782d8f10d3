// Drives the built server with somebody else's client: the CLI of the official MCP Inspector, fetched by npx.
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { startOfflineGeminiApi } from '../packages/port-contracts/dist/offline-api/index.js';
import { npxCommand, rootDirectory } from './run-step.mjs';

const inspector = '@modelcontextprotocol/inspector@2.12.0';
const server = fileURLToPath(new URL('../apps/mcp-stdio/dist/gemini-mcp-server.cjs', import.meta.url));
const geminiCli = fileURLToPath(new URL('../node_modules/@google/gemini-cli/bundle/gemini.js', import.meta.url));

/** Runs the Inspector; resolves to its exit code and what it printed on stdout. */
async function inspect(args, environment) {
  const [file, ...first] = npxCommand();
  const settings = Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const words = [...first, inspector, '--cli', ...settings, process.execPath, server, ...args];
  const options = { cwd: rootDirectory, stdin: 'ignore', stderr: 'inherit', reject: false };
  const { exitCode, stdout } = await execa(file, words, options);
  return { exitCode, output: stdout };
}

function check(name, holds, output) {
  console.log(`${holds ? 'ok' : 'NOT OK'}: ${name}`);
  if (!holds) {
    console.log(output);
    process.exitCode = 1;
  }
}

const api = await startOfflineGeminiApi();
try {
  const environment = { GEMINI_MCP_CLI: geminiCli, ...api.environment() };
  const lists = [
    [
      'tools/list',
      ['--strict'],
      ['"gemini_query"', '"gemini_context"', '"gemini_read"', '"gemini_job"', '"googleSearch"'],
    ],
    ['prompts/list', [], ['"review"', '"find-bugs"', '"web-research"']],
    ['resources/list', [], ['"gemini://manual"', '"gemini://models"']],
  ];
  for (const [method, flags, expected] of lists) {
    const { exitCode, output } = await inspect(['--method', method, ...flags], environment);
    check(`${method} names what there is`, exitCode === 0 && expected.every((word) => output.includes(word)), output);
  }
  const call = [
    '--method',
    'tools/call',
    '--tool-name',
    'gemini_query',
    '--tool-arg',
    'prompt=Hi',
    'files=["README.md"]',
  ];
  for (const era of ['legacy', 'modern']) {
    const called = await inspect([...call, '--protocol-era', era], environment);
    const answered = called.exitCode === 0 && called.output.includes('README.md') && called.output.includes('Model: ');
    check(`tools/call gemini_query answers in the ${era} era`, answered, called.output);
  }
} finally {
  await api.close();
}
