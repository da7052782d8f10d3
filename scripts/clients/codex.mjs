// Codex without a terminal, offline: fetched by npx, with a made-up home and API.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchCommand } from './fetch-command.mjs';
import { startResponsesApi } from './responses-api.mjs';
import { runToEnd } from './run-to-end.mjs';

/**
 * How to test Codex: its name for `--print-config` and `setup`, its name in the advice on a missing login, its program, its model, and how to add
 * the server and ask it.
 */
export const codex = {
  name: 'codex',
  placeOfKey: 'env_vars',
  program: 'codex',
  fetch: () => fetchCommand({ packageName: '@openai/codex', version: '0.169.0', command: 'codex' }),
  startModel: startResponsesApi,
  add,
  ask,
};

/** Pastes the output of `--print-config` into the settings. */
async function add({ home, printed }) {
  await mkdir(join(home, '.codex'), { recursive: true });
  await writeFile(join(home, '.codex/config.toml'), printed);
}

/**
 * Asks one question in `project`, from a shell with these variables. Resolves to the exit code and the output. `running` is for `runToEnd`.
 */
function ask({ command, project, modelUrl, environment, sentence = 'Ask Gemini.', flags: more = [], ...running }) {
  const provider = {
    name: '"script"',
    base_url: `"${modelUrl}/v1"`,
    env_key: '"MADE_UP_KEY"',
    wire_api: '"responses"',
  };
  const settings = {
    model: '"gpt-6.1-sol"',
    model_provider: '"script"',
    check_for_update_on_startup: false,
    'analytics.enabled': false,
    ...Object.fromEntries(Object.entries(provider).map(([name, value]) => [`model_providers.script.${name}`, value])),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return runToEnd(command, ['exec', '--skip-git-repo-check', ...more, ...flags, sentence], {
    ...running,
    cwd: project,
    env: { ...environment, MADE_UP_KEY: 'made-up' },
  });
}
