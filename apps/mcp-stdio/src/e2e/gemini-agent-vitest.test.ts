import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AgentCall, playAgent } from './scripted-agent.ts';
import { ServerSetup } from './server-setup.ts';

/** Holds vitest, as this repository has installed it. */
const installed = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

const files: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module", "scripts": { "test": "vitest run" } }\n',
  'src/sum.js': 'export const sum = (a, b) => a - b;\n',
  'src/sum.test.js': [
    "import { expect, it } from 'vitest';",
    "import { sum } from './sum.js';",
    "it('adds', () => expect(sum(2, 3)).toBe(5));",
    '',
  ].join('\n'),
};

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
  for (const [name, content] of Object.entries(files)) {
    const path = join(setup.project, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  // As a package manager links what it keeps elsewhere: only a tool path makes it visible to commands.
  await mkdir(join(setup.project, 'node_modules/.bin'), { recursive: true });
  await symlink(join(installed, 'vitest'), join(setup.project, 'node_modules/vitest'));
  await symlink('../vitest/vitest.mjs', join(setup.project, 'node_modules/.bin/vitest'));
});

afterEach(async () => {
  await setup.dispose();
});

it('gemini_agent runs the tests of a vitest project in the sandbox, sees them fail, and sees them pass', async () => {
  const server = await setup.start({
    GEMINI_MCP_RUNNER: 'api',
    GEMINI_MCP_TOOL_PATHS: [dirname(dirname(process.execPath)), installed].join(':'),
  });
  const test: AgentCall = ['run_command', { command: 'npm test' }];
  const change: AgentCall = ['change_file', { file_path: 'src/sum.js', old_string: 'a - b', new_string: 'a + b' }];
  playAgent(setup.api, [[test], [change], [test]], 'The sum adds now.');
  const { text } = await server.call('gemini_agent', { task: 'Mend the sum.', mode: 'full' });
  expect(text).toMatch(/Commands: 2\n {2}- npm test: exit 1 after .* s\n {2}- npm test: exit 0 after /);
  expect(text).toContain('Changed: 1 file, +1 -1 lines\n  - src/sum.js: modified, +1 -1\n');
  const run = /Undo: gemini_undo with run "(\w+)"/.exec(text)?.[1];
  expect(await server.call('gemini_undo', { run })).toMatchObject({ isError: false });
  expect(await readFile(join(setup.project, 'src/sum.js'), 'utf8')).toBe(files['src/sum.js']);
});
