import { spawnSync } from 'node:child_process';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { runTestProgram, type TestProgramEnd } from '@gemini-mcp/fake-gemini';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServerProcess, serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;
let key: string;
let environment: Record<string, string>;

beforeEach(async () => {
  setup = await ServerSetup.create();
  const { GEMINI_API_KEY = '', ...others } = setup.environmentWithoutCli();
  key = GEMINI_API_KEY;
  environment = others;
});

afterEach(() => setup.dispose());

const run = (args: readonly string[], input = '', variables: Record<string, string> = {}): Promise<TestProgramEnd> =>
  runTestProgram({
    ...{ file: serverPath, args, cwd: setup.project, input },
    environment: { ...environment, ...variables },
  });

const loginFile = (): string => join(environment['HOME'] ?? '', '.config', 'gemini-mcp-server', 'login.json');

/** Starts a server whose environment has no key. */
const start = (variables: Record<string, string> = {}): Promise<ServerProcess> =>
  setup.startWithoutCli({ GEMINI_API_KEY: '', ...variables });

async function end(server: ServerProcess): Promise<void> {
  server.endInput();
  await server.ended;
}

const logIn = (): Promise<TestProgramEnd> => run(['login', '--store=file'], `  "${key}"\r\n`);

describe('login', () => {
  it('tries a key from a pipe, stores it in a private file, and never shows it', async () => {
    const { exitCode, stdout, stderr } = await logIn();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Google accepts the key, which can reach \d+ models, among them gemini-4-carbon, /);
    expect(stdout).toContain(`The login is stored in ${loginFile()}, which only you can read.\n`);
    expect(stdout).not.toContain(key);
    expect((await stat(loginFile())).mode & 0o777).toBe(0o600);
    expect(setup.api.requests.map(({ method }) => method)).toEqual(['listModels']);
  });

  it('gives the key to every start, to a call and to nothing that is shown', async () => {
    await logIn();
    setup.api.reply(text('Hello'));
    const server = await start({ GEMINI_MCP_LOG_LEVEL: 'debug' });
    const { text: answer, isError } = await server.query({ prompt: 'Hi' });
    expect({ answer, isError }).toMatchObject({ answer: expect.stringContaining('Hello'), isError: false });
    expect(setup.api.requests.at(-1)?.apiKey).toBe(key);
    await end(server);
    expect(server.stderr).not.toContain(key);
  });

  it('takes a placeholder of a client for no key, and says so', async () => {
    await logIn();
    setup.api.reply(text('Hello'));
    const server = await start({ GEMINI_API_KEY: `\${user_config.api_key}` });
    expect(await server.query({ prompt: 'Hi' })).toMatchObject({ isError: false });
    expect(setup.api.requests.at(-1)?.apiKey).toBe(key);
    await end(server);
    expect(server.stderr).toMatch(/GEMINI_API_KEY.*was not filled in/);
  });

  it('prefers the key of the environment, and doctor names the one that counts', async () => {
    await logIn();
    const stored = await run(['doctor', '--no-call']);
    expect(stored.stdout).toContain(`an API key, stored in ${loginFile()}, which only you can read`);
    const other = await run(['doctor', '--no-call'], '', { GEMINI_API_KEY: 'of-the-environment' });
    expect(other.stdout).toContain('an API key, in the environment');
    expect(setup.api.requests.at(-1)?.apiKey).toBe('of-the-environment');
    expect(stored.stdout + other.stdout).not.toMatch(new RegExp(`${key}|of-the-environment`));
  });

  it('is told by --status, which tries the key, and is over after logout', async () => {
    expect(await run(['login', '--status'])).toMatchObject({
      exitCode: 1,
      stderr: 'Not logged in. Log in: gemini-mcp-server login\n',
    });
    await logIn();
    const status = await run(['login', '--status']);
    expect(status).toMatchObject({ exitCode: 0, stderr: '' });
    expect(status.stdout).toMatch(/^The login is stored in .*\nGoogle accepts the key/);
    expect(await run(['logout'])).toMatchObject({
      exitCode: 0,
      stdout: 'The stored key is removed. Running servers have it until they end.\n',
    });
    expect(await run(['logout'])).toMatchObject({ exitCode: 0, stdout: 'No key was stored.\n' });
    const server = await start();
    expect((await server.query({ prompt: 'Hi' })).text).toContain('gemini-mcp-server login');
  });

  it.each([
    ['nothing', ''],
    ['two keys', 'AIza-one AIza-two'],
    ['a JSON file', '{"type": "service_account"}'],
  ])('stores nothing for %s', async (_, input) => {
    const { exitCode, stdout, stderr } = await run(['login', '--store=file'], input);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/Nothing has changed\.\n$/);
    expect(stderr).not.toContain('AIza');
    await expect(stat(loginFile())).rejects.toThrow('ENOENT');
  });

  it('takes no key as an argument, and does not repeat it', async () => {
    const { exitCode, stderr } = await run(['login', key]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('it takes no key as an argument');
    expect(stderr).not.toContain(key);
  });

  it('stores no key that Google refuses', async () => {
    await logIn();
    const refusing = await refusingApi();
    try {
      const address = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
      const { exitCode, stderr } = await run(['login', '--store=file'], 'AIza-revoked', {
        GOOGLE_GEMINI_BASE_URL: address,
      });
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^Google does not accept this key: .*Nothing has changed\.\n$/s);
      expect(stderr).not.toContain('AIza-revoked');
    } finally {
      refusing.close();
    }
    expect(JSON.parse(await readFile(loginFile(), 'utf8'))).toEqual({ place: 'file', key });
  });

  it('stores a key that cannot be tried, and says so', async () => {
    const { exitCode, stdout } = await run(['login', '--store=file'], key, {
      GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^The key could not be tried: .*login --status\nThe login is stored in /s);
  });

  it('falls back to a file without a keychain, and says so', async () => {
    const { exitCode, stdout, stderr } = await run(['login', '--store=keychain'], key);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`The login is stored in ${loginFile()}`);
    expect(stderr).toMatch(/[Kk]eychain.*The key is in a file instead\.\n$/s);
  });

  it('starts without a login whose file was damaged or opened to others, and says so', async () => {
    await logIn();
    await writeFile(loginFile(), '{"place":"file"');
    const damaged = await start();
    expect(await damaged.query({ prompt: 'Hi' })).toMatchObject({ isError: true });
    await end(damaged);
    expect(damaged.stderr).toMatch(/login-not-read.*is damaged/);
    expect((await run(['doctor', '--no-call'])).stdout).toMatch(/Stored login.*is damaged/);
    await rm(loginFile());
  });

  it('answers the handshake while the keychain with the key is silent, then lists its tools, and says so', async () => {
    await logIn();
    await writeFile(loginFile(), '{"place":"keychain"}\n');
    const bus = createSocketServer().listen(join(setup.root, 'silent-bus'));
    try {
      const server = await start({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(setup.root, 'silent-bus')}` });
      expect(server.stderr).not.toContain('login-not-read');
      expect(await server.request('tools/list')).toHaveProperty('result.tools');
      await expect.poll(() => server.stderr).toMatch(/login-not-read.*did not answer within 5 s/);
      await end(server);
    } finally {
      bus.close();
    }
  });

  it('keeps the old key if the new one cannot be written, and says why', async () => {
    await logIn();
    const script = 'ulimit -f 0; exec "$@"';
    const ended = await execa('/bin/sh', ['-c', script, 'sh', process.execPath, serverPath, 'login', '--store=file'], {
      ...{ cwd: setup.project, env: environment, extendEnv: false, reject: false, input: `${key}2` },
      ...{ timeout: 60_000, stdout: 'pipe', stderr: 'pipe' },
    });
    // Node ignores the signal of the limit, so the write fails as on a full disk.
    expect(ended).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/EFBIG|size limit/) });
    expect(JSON.parse(await readFile(loginFile(), 'utf8'))).toEqual({ place: 'file', key });
  });

  it('keeps one whole key of several logins at once', async () => {
    const keys = ['AIza-one', 'AIza-two', 'AIza-three'];
    const ends = await Promise.all(keys.map((one) => run(['login', '--store=file'], one)));
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(keys).toContain(JSON.parse(await readFile(loginFile(), 'utf8')).key);
  });
});

const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

it.skipIf(!hasScript)('at a terminal, login asks for the key and does not show it', async () => {
  const command = `${process.execPath} ${serverPath} login --store=file`;
  const { stdout, exitCode } = await execa('script', ['-qec', command, '/dev/null'], {
    ...{ cwd: setup.project, env: { ...environment, PATH: process.env['PATH'], SHELL: '/bin/sh' }, extendEnv: false },
    ...{ reject: false, timeout: 60_000, input: `${key}X\u007f\r` },
  });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/Paste your Gemini API key/);
  expect(stdout).toContain('Google accepts the key');
  expect(JSON.parse(await readFile(loginFile(), 'utf8'))).toEqual({ place: 'file', key });
});

/** Answers every request as the Gemini API answers a key that it does not accept. */
async function refusingApi(): Promise<Server> {
  const error = {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status: 'INVALID_ARGUMENT',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
  };
  const server = createServer((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}
