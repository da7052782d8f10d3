// opencode without a terminal, offline: fetched by npx, with a made-up home and API.
import { startChatCompletionsApi } from './chat-completions-api.mjs';
import { fetchCommand } from './fetch-command.mjs';
import { runToEnd } from './run-to-end.mjs';

/** How to test opencode: its name for `setup`, its program, its model, and how to ask it. */
export const opencode = {
  name: 'opencode',
  program: 'opencode',
  fetch: () => fetchCommand({ packageName: 'opencode-ai', version: '1.18.33', command: 'opencode' }),
  startModel: ({ nextCall }) => startChatCompletionsApi({ nextCall, nameOf: (tool) => `gemini_${tool}` }),
  ask,
};

/** Asks one question in `project`, from a shell with these variables. Resolves to the exit code and the output. */
function ask({ command, project, modelUrl, environment }) {
  const options = { baseURL: `${modelUrl}/v1`, apiKey: 'made-up' };
  const provider = {
    script: { npm: '@ai-sdk/openai-compatible', name: 'script', options, models: { script: { tool_call: true } } },
  };
  const settings = { provider, model: 'script/script', autoupdate: false, share: 'disabled' };
  const variables = { OPENCODE_CONFIG_CONTENT: JSON.stringify(settings), OPENCODE_DISABLE_MODELS_FETCH: '1' };
  return runToEnd(command, ['run', 'Ask Gemini.'], { cwd: project, env: { ...environment, ...variables } });
}
