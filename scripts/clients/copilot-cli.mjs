// Copilot CLI without a terminal, offline: fetched by npx, with a made-up home and API.
import { startChatCompletionsApi } from './chat-completions-api.mjs';
import { fetchCommand } from './fetch-command.mjs';
import { runToEnd } from './run-to-end.mjs';

/** Fetches the pinned version. Resolves to the path of its command. */
export function fetchCopilotCli() {
  return fetchCommand({ packageName: '@github/copilot', version: '1.0.102', command: 'copilot' });
}

/** How to test Copilot CLI: its name for `setup`, its program, its model, and how to ask it. */
export const copilotCli = {
  name: 'copilot-cli',
  program: 'copilot',
  fetch: fetchCopilotCli,
  startModel: ({ nextCall }) => startChatCompletionsApi({ nextCall, nameOf: (tool) => `gemini-${tool}` }),
  ask,
};

/** Asks one question in `project`, from a shell with these variables. Resolves to the exit code and the output. */
function ask({ command, project, modelUrl, environment }) {
  const model = {
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_MODEL: 'gpt-4.1',
    // With less it sums up long conversations, and takes results out of them.
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '1000000',
  };
  return runToEnd(command, ['--allow-all-tools', '-p', 'Ask Gemini.'], {
    cwd: project,
    env: { ...environment, ...model },
  });
}
