import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOfflineGeminiApi } from '@gemini-mcp/port-contracts/offline-api';
import { askServer } from './ask-server.ts';
import { clientSnippets } from './client-snippets.ts';
import { type DemoOptions, readDemoOptions, usage } from './demo-options.ts';
import { findCredentials } from './find-credentials.ts';
import { showWork } from './show-work.ts';

const rootDirectory = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const serverPath = join(rootDirectory, 'apps', 'mcp-stdio', 'dist', 'gemini-mcp-server.cjs');
const cliPath = join(rootDirectory, 'node_modules', '@google', 'gemini-cli', 'bundle', 'gemini.js');

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let options: DemoOptions;
  try {
    options = readDemoOptions(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  const credentials = findCredentials(process.env, homedir());
  return credentials === null ? askOffline(options) : ask(options, {}, `Asking Google with ${credentials}.`);
}

async function askOffline(options: DemoOptions): Promise<number> {
  const api = await startOfflineGeminiApi();
  try {
    const exitCode = await ask(
      options,
      api.environment(),
      'No login for Google was found (GEMINI_API_KEY, Vertex AI, or a login of the Gemini CLI).\n' +
        'Asking the offline Gemini API of this repository instead: it answers with what has arrived.',
    );
    console.log(
      'For answers of Gemini, make an API key at https://aistudio.google.com/apikey, set GEMINI_API_KEY and run npm start again: the settings\n' +
        'above then pass it on. To try your client without a key: npm run offline\n',
    );
    return exitCode;
  } finally {
    await api.close();
  }
}

async function ask(
  options: DemoOptions,
  environment: Readonly<Record<string, string>>,
  notice: string,
): Promise<number> {
  console.log(`\n${notice}\nPrompt: ${options.prompt}\n`);
  const answer = await askServer({ serverPath, cliPath, rootDirectory, environment, options });
  console.log(answer.text);
  const isShown = await showAgent();
  console.log(`\nTo use this server from your client:\n\n${await clientSnippets(serverPath)}\n`);
  console.log(`Further clients: node ${serverPath} --print-config <client>`);
  console.log(`To check the requirements of calls: node ${serverPath} doctor\n`);
  return answer.isError || !isShown ? 1 : 0;
}

/** Resolves to whether the work succeeded. */
async function showAgent(): Promise<boolean> {
  console.log(
    '\nNext, gemini_agent fixes a small project, which is removed afterwards. The offline Gemini API plays Gemini: its steps are scripted,\n' +
      'but the tools, the sandbox, the question and the account are real. The issue comes from another MCP server, whose tool the server gives to Gemini.\n',
  );
  const work = await showWork(serverPath);
  console.log(work.text);
  return !work.isError;
}
