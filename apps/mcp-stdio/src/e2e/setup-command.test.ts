import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { runTestProgram, type TestProgramEnd } from '@gemini-mcp/fake-gemini';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServerProcess, serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;
let key: string;
let environment: Record<string, string>;

beforeEach(async () => {
  setup = await ServerSetup.create();
  const { GEMINI_API_KEY = '', ...others } = setup.environmentWithoutCli();
  key = GEMINI_API_KEY;
  environment = others;
  await mkdir(join(setup.root, '.codex'), { mode: 0o700 });
  await mkdir(join(setup.root, '.cursor'), { mode: 0o700 });
});

afterEach(() => setup.dispose());

const run = (args: readonly string[], input = ''): Promise<TestProgramEnd> =>
  runTestProgram({ file: serverPath, args, cwd: setup.project, input, environment });

const read = (...names: readonly string[]): Promise<string> => readFile(join(setup.root, ...names), 'utf8');

it('writes settings with which a client starts the server, with the stored key and without variables', async () => {
  await writeFile(join(setup.root, '.codex', 'config.toml'), 'model = "x" # mine\n');
  expect(await run(['login', '--store=file'], key)).toMatchObject({ exitCode: 0 });
  const { exitCode, stdout, stderr } = await run(['setup']);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('Restart these clients.'),
  });
  expect(stdout).toBe(
    `codex   added      ${join(setup.root, '.codex', 'config.toml')}\ncursor  added      ${join(setup.root, '.cursor', 'mcp.json')}\n`,
  );
  const ofCursor = JSON.parse(await read('.cursor', 'mcp.json')).mcpServers.gemini;
  const toml = await read('.codex', 'config.toml');
  expect(toml).toMatch(/^model = "x" # mine\n/);
  expect(toml).toContain(
    `[mcp_servers.gemini]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [ ${JSON.stringify(serverPath)}`,
  );
  expect(ofCursor.env).toEqual({ GOOGLE_GEMINI_BASE_URL: `\${env:GOOGLE_GEMINI_BASE_URL}` });

  setup.api.reply(text('Hello'));
  const [program, ...flags] = ofCursor.args;
  expect([ofCursor.command, program]).toEqual([process.execPath, serverPath]);
  const { HOME = '', PATH = '', GOOGLE_GEMINI_BASE_URL = '' } = environment;
  const server = new ServerProcess({ cwd: setup.project, flags, environment: { HOME, PATH, GOOGLE_GEMINI_BASE_URL } });
  await server.initialize();
  expect(await server.query({ prompt: 'Hi' })).toMatchObject({ isError: false });
  expect(setup.api.requests.at(-1)?.apiKey).toBe(key);
  server.endInput();
  await server.ended;

  expect((await run(['setup', '--undo'])).stdout).toMatch(/^codex {3}restored .*\ncursor {2}restored /);
  expect(await read('.codex', 'config.toml')).toBe('model = "x" # mine\n');
  await expect(stat(join(setup.root, '.cursor', 'mcp.json'))).rejects.toThrow('ENOENT');
});

it('says that a login is missing, and what an unknown client was meant to be', async () => {
  const { stdout, stderr } = await run(['setup', 'cursor', '--dry-run', '--read-only']);
  expect(stdout).toContain('--read-only=1');
  expect(stderr).toBe('Nothing was written. Without --dry-run, the changes are.\n');
  expect((await run(['setup', 'cursor'])).stderr).toMatch(
    /^There is no login yet\. Store an API key: gemini-mcp-server login\n/,
  );
  expect(await run(['setup', 'curser'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Did you mean cursor?'),
  });
});

it('from the cache of npx, gives clients a copy that stays, and takes it back', async () => {
  const cached = join(setup.root, '.npm', '_npx', 'abc', 'node_modules', 'gemini-mcp-server');
  await cp(dirname(serverPath), join(cached, 'dist'), { recursive: true });
  const runCached = (args: readonly string[]): Promise<TestProgramEnd> =>
    runTestProgram({ file: join(cached, 'dist', basename(serverPath)), args, cwd: setup.project, environment });
  const programs = join(setup.root, '.config', 'gemini-mcp-server', 'program');
  expect((await runCached(['setup', 'cursor', '--dry-run'])).stdout).toContain(programs);
  await expect(stat(programs)).rejects.toThrow('ENOENT');
  expect(await runCached(['setup', 'cursor'])).toMatchObject({ exitCode: 0 });
  await rm(cached, { recursive: true });

  const { command, args } = JSON.parse(await read('.cursor', 'mcp.json')).mcpServers.gemini;
  expect([command, args[0]]).toEqual([process.execPath, expect.stringContaining(programs)]);
  const started = await runTestProgram({ file: args[0], args: ['--version'], cwd: setup.project, environment });
  expect(started).toMatchObject({ exitCode: 0, stdout: '1.0.0\n' });
  const undone = await runTestProgram({ file: args[0], args: ['setup', '--undo'], cwd: setup.project, environment });
  expect(undone).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^cursor {2}restored /) });
  await expect(stat(programs)).rejects.toThrow('ENOENT');
});
