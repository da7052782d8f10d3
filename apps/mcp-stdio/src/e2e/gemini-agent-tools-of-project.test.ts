import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AgentCall, playAgent, toldToAgent } from './scripted-agent.ts';
import { ServerSetup } from './server-setup.ts';

/** Holds the tools of the project, as this repository has installed them. */
const installed = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
const installedHere = fileURLToPath(new URL('../../node_modules', import.meta.url));

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
  await install(join(installed, 'vitest'), 'vitest', 'vitest.mjs');
});

afterEach(() => setup.dispose());

/** As a package manager links what it keeps elsewhere: only a tool path makes it visible to commands. */
async function install(from: string, name: string, program: string): Promise<void> {
  await mkdir(join(setup.project, 'node_modules/.bin'), { recursive: true });
  await symlink(from, join(setup.project, 'node_modules', name));
  await symlink(
    join('..', name, program),
    join(setup.project, 'node_modules/.bin', basename(program).replace(/\.m?js$/, '')),
  );
}

/** A directory of tools with pnpm in it, as an installation of its own has it. */
async function installPnpm(): Promise<string> {
  const tools = join(setup.project, '..', 'tools');
  await mkdir(join(tools, 'bin'), { recursive: true });
  await symlink(join(installed, 'pnpm/bin/pnpm.cjs'), join(tools, 'bin/pnpm'));
  return tools;
}

it('the usual tools of a project run in the sandbox by the shipped rules, and no one is asked', async () => {
  await install(join(installedHere, 'eslint'), 'eslint', 'bin/eslint.js');
  await install(join(installed, 'typescript'), 'typescript', 'bin/tsc');
  const settings = {
    compilerOptions: { allowJs: true, checkJs: true, noEmit: true, strict: false, types: [], skipLibCheck: true },
  };
  await writeFile(join(setup.project, 'tsconfig.json'), JSON.stringify({ ...settings, include: ['src/sum.js'] }));
  await writeFile(join(setup.project, 'eslint.config.js'), "export default [{ rules: { 'no-debugger': 'error' } }];\n");
  await writeFile(join(setup.project, 'src/sum.js'), 'export const sum = (a, b) => a + b;\n');
  await writeFile(join(setup.project, 'src/stop.js'), 'debugger;\n');
  const server = await setup.start({
    GEMINI_MCP_RUNNER: 'api',
    GEMINI_MCP_TOOL_PATHS: [dirname(dirname(process.execPath)), installed, installedHere, await installPnpm()].join(
      ':',
    ),
  });
  const commands = ['pnpm vitest run', 'tsc -p .', 'eslint src/sum.js', 'eslint src'];
  const turns = commands.map((command): AgentCall[] => [['run_command', { command }]]);
  playAgent(setup.api, turns, 'All ran.');
  const { text } = await server.call('gemini_agent', { task: 'Run all checks.', mode: 'full' });
  expect(text.match(/^ {2}- .*: exit \d/gm)).toEqual([
    '  - pnpm vitest run: exit 0',
    '  - tsc -p .: exit 0',
    '  - eslint src/sum.js: exit 0',
    '  - eslint src: exit 1',
  ]);
  const [vitest, , , eslint] = toldToAgent(setup.api);
  expect(vitest).toContain('1 passed');
  expect(eslint).toContain('no-debugger');
  expect(text).not.toContain('Asked:');
});
