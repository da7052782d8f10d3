import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { ServerProcess } from '../apps/mcp-stdio/src/e2e/server-process.ts';
import { drawTerminal } from '../packages/server/src/testing/draw-terminal.ts';

const offlinePath = fileURLToPath(new URL('../demo/dist/offline.js', import.meta.url));
const main = fileURLToPath(new URL('../demo/dist/main.js', import.meta.url));
const picturePath = fileURLToPath(new URL('../docs/pictures/agent-run.svg', import.meta.url));

/** From the question to the end of the account, as `npm start` prints it. */
function drawWork(stdout) {
  const begin = stdout.indexOf('The server asks its user:');
  return drawTerminal({
    title: 'A run of gemini_agent in npm start: the question to the user, the answer, and the account with the diff',
    command: 'npm start',
    output: stdout.slice(begin, stdout.indexOf('\nTo use this server')),
    kindOf: (line) => (line.startsWith('The server asks') ? 'server' : /^\| [-+]/.test(line) ? 'todo' : 'plain'),
  });
}

/** Times, tokens and the id of the run differ from run to run. */
function withoutFigures(picture) {
  return picture.replace(/"[\da-f]{16}"/g, '').replace(/\d[\d,.]*/g, '0');
}

it('shows without a login an answer, a task with its question, its diff and its account, and the settings of clients', async () => {
  const home = await mkdtemp(join(tmpdir(), 'demo-'));
  const env = { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: join(home, 'state') };
  const { stdout } = await execa(process.execPath, [main, '--prompt', 'Hi'], { env, extendEnv: false });
  await rm(home, { recursive: true });
  for (const shown of [
    'The request begins: Hi',
    'Gemini asks to call the tool get_issue of the server tracker\n| {"number":7}',
    'Changed: 1 file, +1 -1 lines\n  - sum.js: modified, +1 -1',
    'Called: 1\n  - get_issue of tracker {"number":7}: done after ',
    'Asked: 1\n  - get_issue of tracker: allowed once',
    '| -export const sum = (a, b) => a - b;\n| +export const sum = (a, b) => a + b;',
    'claude mcp add ',
  ]) {
    expect(stdout).toContain(shown);
  }
  const drawn = drawWork(stdout);
  const kept = readFileSync(picturePath, 'utf8');
  await expect(withoutFigures(drawn) === withoutFigures(kept) ? kept : drawn).toMatchFileSnapshot(picturePath);
});

it('keeps the offline Gemini API running, and the built server answers with the printed variables', async () => {
  const home = await mkdtemp(join(tmpdir(), 'demo-'));
  const offline = spawn(process.execPath, [offlinePath, '--port', '0']);
  let shown = '';
  offline.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
  });
  await expect.poll(() => shown).toContain('Ctrl-C ends it.');
  const variables = Object.fromEntries(
    [...shown.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  const server = new ServerProcess({ cwd: home, environment: { PATH: process.env['PATH'], HOME: home, ...variables } });
  await server.initialize();
  expect((await server.query({ prompt: 'Hi' })).text).toContain('The request begins: Hi');
  server.endInput();
  await server.ended;
  offline.kill('SIGINT');
  await once(offline, 'close');
  expect(offline.exitCode).toBe(0);
  await rm(home, { recursive: true });
});
