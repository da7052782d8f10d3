// Gemini CLI without a terminal, offline: the one of this repository, with a made-up home.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text, toolCall } from '../../packages/port-contracts/dist/offline-api/index.js';
import { rootDirectory } from '../run-step.mjs';
import { runToEnd } from './run-to-end.mjs';

/** How to test Gemini CLI: its name for `setup`, its program, its model, and how to ask it. */
export const geminiCli = {
  name: 'gemini-cli',
  program: 'gemini',
  fetch: async () => join(rootDirectory, 'node_modules/@google/gemini-cli/bundle/gemini.js'),
  startModel,
  ask,
};

const functionName = (tool) => `mcp_gemini_${tool}`;

/** The server that it starts asks the same API, by the same variable: requests with the server's tools are those of its own model. */
async function startModel({ nextCall, api, reply }) {
  api.reply(({ contents, functionNames }) => {
    if (!functionNames.includes(functionName('gemini_query'))) {
      return reply;
    }
    const call = nextCall(resultsIn(contents));
    return call === null ? text('Done.') : toolCall(functionName(call.tool), call.args);
  });
  return { url: api.url, close: () => undefined };
}

function resultsIn(contents) {
  return contents
    .flatMap(({ parts }) => parts)
    .flatMap(({ functionResponse }) => functionResponse?.response?.output ?? []);
}

/** Asks one question in `project`, from a shell with these variables. Resolves to the exit code and the output. */
async function ask({ command, project, modelUrl, environment }) {
  await mkdir(join(project, '.gemini'), { recursive: true });
  const auth = { selectedType: 'gemini-api-key' };
  await writeFile(join(project, '.gemini/settings.json'), JSON.stringify({ security: { auth } }));
  const model = { GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: 'made-up', GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  const args = ['--approval-mode=yolo', '--model=gemini-3.1-pro-preview', '--prompt=Ask Gemini.'];
  return runToEnd(process.execPath, [command, ...args], { cwd: project, env: { ...environment, ...model } });
}
