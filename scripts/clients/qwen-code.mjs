// Qwen Code without a terminal, offline: fetched by npx, with a made-up home and API.
import { startChatCompletionsApi } from './chat-completions-api.mjs';
import { fetchCommand } from './fetch-command.mjs';
import { runToEnd } from './run-to-end.mjs';

/** How to test Qwen Code: its name for `setup`, its program, its model, and how to ask it. */
export const qwenCode = {
  name: 'qwen-code',
  program: 'qwen',
  fetch: () => fetchCommand({ packageName: '@qwen-code/qwen-code', version: '0.24.4', command: 'qwen' }),
  startModel: ({ nextCall }) => startChatCompletionsApi({ nextCall, nameOf: (tool) => `mcp__gemini__${tool}` }),
  ask,
};

/** Asks one question in `project`, from a shell with these variables. Resolves to the exit code and the output. */
function ask({ command, project, modelUrl, environment }) {
  const model = { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: 'made-up', OPENAI_MODEL: 'script' };
  const args = ['--auth-type=openai', '--approval-mode=yolo', 'Ask Gemini.'];
  return runToEnd(command, args, { cwd: project, env: { ...environment, ...model } });
}
