// Codex without a terminal, offline: fetched by npx, with a made-up home and API.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchCommand } from './fetch-command.mjs';
import { startResponsesApi } from './responses-api.mjs';
import { runToEnd } from './run-to-end.mjs';

/** How to test Codex: its name for `--print-config`, its name in the advice on a missing login, its model, and how to set it up and ask it. */
export const codex = {
  name: 'codex',
  placeOfKey: 'env_vars',
  fetch: () => fetchCommand({ packageName: '@openai/codex', version: '0.169.0', command: 'codex' }),
  startModel: startResponsesApi,
  ask,
};

/**
 * Pastes the output of `--print-config` into the settings, and asks one question in `project`. The shell has the variables of `environment`.
 * Resolves to the exit code and the output of Codex.
 */
async function ask({ command, home, project, modelUrl, printed, environment }) {
  const directory = join(home, '.codex');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'config.toml'), `${settingsOf(modelUrl)}\n${printed}`);
  return runToEnd(command, ['exec', '--skip-git-repo-check', 'Ask Gemini.'], {
    cwd: project,
    env: { ...environment, PATH: process.env.PATH, HOME: home, MADE_UP_KEY: 'made-up' },
  });
}

function settingsOf(modelUrl) {
  return `model = "gpt-6.1-sol"
model_provider = "script"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.script]
name = "script"
base_url = "${modelUrl}/v1"
env_key = "MADE_UP_KEY"
wire_api = "responses"`;
}
