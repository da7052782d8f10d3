import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { FileRecordStore, GeminiCliFinder, SystemClock } from '@gemini-mcp/adapters-node';
import type { LoginEnd, ServerReply } from '@gemini-mcp/core/internal';
import { AuthorizationServer, LoginBrowser, ProtectedServer } from '@gemini-mcp/fake-gemini/login-servers';
import { ownerOnThisMachine } from '@gemini-mcp/gemini/internal';
import { InMemoryKeychain } from '@gemini-mcp/port-contracts/internal';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfiguration } from '../settings/read-configuration.ts';
import { type CreatedUpstreams, createUpstreams } from './create-upstreams.ts';
import { openCredentials } from './testing/open-credentials.ts';

/** Calls a tool of a server as another process of the user, `count` times at once, and tells what came of them. */
const program = `
  import { FileRecordStore, GeminiCliFinder, SystemClock } from '@gemini-mcp/adapters-node';
  import { createUpstreams } from './create-upstreams.ts';
  import { readConfiguration } from '../settings/read-configuration.ts';

  const [home, count] = process.argv.slice(2);
  const environment = { HOME: home, PATH: process.env.PATH };
  const { configuration } = readConfiguration({ environment, currentDirectory: home });
  const finder = new GeminiCliFinder({ environment, runsDirectory: home + '/runs' });
  const clock = new SystemClock();
  const records = new FileRecordStore({ directory: configuration.stateDirectory, clock });
  const stores = { records, localRecords: records };
  const parts = { configuration, environment, clock, ...stores, finder, isOfOneUser: true, version: '1', log: () => {} };
  const { upstreams } = createUpstreams(parts);
  const never = new AbortController().signal;
  const call = () => upstreams.of('user').request({
    server: 'tools',
    asks: { type: 'tool', tool: 'work', arguments: {} },
    deadlineAtMs: Date.now() + 60_000,
    questions: null,
  }, never);
  const replies = await Promise.all(Array.from({ length: Number(count) }, call));
  const kinds = new Set(replies.map((reply) => reply.type === 'answered' ? 'answered' : JSON.stringify(reply)));
  await upstreams.close();
  console.log([...kinds].join(' '));
`;

const never = new AbortController().signal;
let programDirectory: string;
let programFile: string;
let home: string;
let issuer: AuthorizationServer;
let server: ProtectedServer;
const opened: CreatedUpstreams[] = [];
const running = new Set<ChildProcess>();

beforeAll(async () => {
  programDirectory = await mkdtemp(join(tmpdir(), 'login-program-'));
  programFile = join(programDirectory, 'program.mjs');
  await symlink(join(import.meta.dirname, '../../../gemini/node_modules'), join(programDirectory, 'node_modules'));
  await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'js', sourcefile: 'program.js' },
    outdir: programDirectory,
    outExtension: { '.js': '.mjs' },
    entryNames: 'program',
    bundle: true,
    // Otherwise libraries that are loaded late are begun in an order in which zod is not there yet.
    splitting: true,
    mainFields: ['module', 'main'],
    platform: 'node',
    format: 'esm',
    external: ['@napi-rs/keyring', 'google-auth-library', 'undici'],
    conditions: ['@gemini-mcp/source'],
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
  });
});

afterAll(() => rm(programDirectory, { recursive: true }));

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'logins-home-')));
  issuer = new AuthorizationServer();
  await issuer.listen();
  server = new ProtectedServer({ issuer });
  await server.listen();
  await mkdir(join(home, '.config', 'gemini-mcp-server'), { recursive: true });
  await configure({ tools: { url: server.url } });
});

afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
  }
  await Promise.all(opened.splice(0).map(({ upstreams }) => upstreams.close()));
  await server.close();
  await issuer.close();
  await rm(home, { recursive: true });
});

async function configure(mcpServers: object): Promise<void> {
  const path = join(home, '.config', 'gemini-mcp-server', 'settings.json');
  await writeFile(path, JSON.stringify({ mcpServers }), { mode: 0o600 });
}

function open(isOfOneUser = true): CreatedUpstreams {
  const settings = join(home, '.config', 'gemini-mcp-server', 'settings.json');
  const environment = {
    HOME: home,
    PATH: process.env['PATH'],
    ...(!isOfOneUser && { GEMINI_MCP_SERVERS_FILE: settings }),
  };
  const { configuration } = readConfiguration({ environment, currentDirectory: home });
  const finder = new GeminiCliFinder({ environment, runsDirectory: join(home, 'runs') });
  const clock = new SystemClock();
  const records = new FileRecordStore({ directory: configuration.stateDirectory, clock });
  const created = createUpstreams({
    configuration,
    environment,
    clock,
    records,
    localRecords: records,
    finder,
    isOfOneUser,
    version: '1',
    log: () => undefined,
  });
  opened.push(created);
  return created;
}

async function logIn({ logins }: CreatedUpstreams, owner = ownerOnThisMachine): Promise<LoginEnd> {
  const visits: Promise<unknown>[] = [];
  const onLink = ({ url }: { readonly url: string }): void => void visits.push(new LoginBrowser().open(url));
  const end = await logins.login(
    { owner, server: 'tools', opensBrowser: false, listens: true, scopes: [], onLink },
    never,
  );
  await Promise.all(visits);
  return end;
}

async function call({ upstreams }: CreatedUpstreams, owner = ownerOnThisMachine): Promise<ServerReply['type']> {
  const asks = { type: 'tool', tool: 'work', arguments: {} } as const;
  const request = { server: 'tools', asks, deadlineAtMs: Date.now() + 60_000, questions: null };
  return (await upstreams.of(owner).request(request, never)).type;
}

async function token(owner = ownerOnThisMachine): Promise<string> {
  const directory = join(home, '.local', 'state', 'gemini-mcp-server');
  const store = openCredentials({ directory, keychain: new InMemoryKeychain(), isSealed: false });
  return (await store.find({ owner, server: server.url }, never))?.credential.tokens.access ?? '';
}

function startProcess(count: number): ChildProcess {
  const child = spawn(process.execPath, [programFile, home, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

async function saidBy({ stdout }: ChildProcess): Promise<string> {
  return stdout === null ? '' : (await text(stdout)).trim();
}

describe('Logins of other servers', () => {
  it('are kept over a restart, in files of this user alone, and a server that waited works in each process', async () => {
    const [first, second] = [open(), open()];
    expect(await call(second)).toBe('unavailable');
    expect(await logIn(first)).toMatchObject({ type: 'logged-in', issuer: issuer.issuer });
    expect([await call(first), await call(second), await call(open())]).toEqual(['answered', 'answered', 'answered']);
    const state = join(home, '.local', 'state', 'gemini-mcp-server');
    const entries = await readdir(state, { recursive: true, withFileTypes: true });
    const access = await token();
    const holding = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async (entry) => ({
          path: entry.parentPath,
          text: await readFile(join(entry.parentPath, entry.name), 'utf8'),
        })),
    );
    const places = holding.filter((file) => file.text.includes(access)).map(({ path }) => path);
    expect(places).toEqual([expect.stringContaining(join(state, 'records', 'credentials'))]);
  });

  it('with an expired token that rotates, 50 calls of each of three processes renew it once', async () => {
    await logIn(open());
    await issuer.expire(await token());
    const children = [startProcess(50), startProcess(50), startProcess(50)];
    expect(await Promise.all(children.map(saidBy))).toEqual(['answered', 'answered', 'answered']);
    expect(issuer.tokenAnswers).toEqual(['authorization_code', 'refresh_token']);
  });

  it('are not lost when a process is killed while it asks for new tokens: the next asks again', async () => {
    await logIn(open());
    await issuer.expire(await token());
    const isAsked = new Promise<void>((resolve) => {
      // The first never gets an answer.
      issuer.interfere = (request) => {
        const isToken = request.url === '/token';
        if (isToken) {
          issuer.interfere = () => false;
          resolve();
        }
        return isToken;
      };
    });
    const killed = startProcess(1);
    await isAsked;
    killed.kill('SIGKILL');
    await once(killed, 'close');
    expect(await call(open())).toBe('answered');
    expect(issuer.refreshes).toBe(1);
  });

  it('over HTTP belong to each principal, and the login of a shared server to its operator', async () => {
    const http = open(false);
    expect(await logIn(http, 'alice')).toMatchObject({ type: 'logged-in' });
    expect([await call(http, 'alice'), await call(http, 'bob')]).toEqual(['answered', 'unavailable']);
    await configure({ tools: { url: server.url, shared: true } });
    expect(await logIn(http, 'alice')).toMatchObject({ type: 'failed', detail: expect.stringContaining('operator') });
    expect(await call(http, 'alice')).toBe('unavailable');
    expect(await logIn(open())).toMatchObject({ type: 'logged-in' });
    expect([await call(http, 'alice'), await call(http, 'bob')]).toEqual(['answered', 'answered']);
  });

  it('reports an unknown server, and a server that is a program', async () => {
    await configure({ tools: { command: 'node' } });
    expect(await logIn(open())).toMatchObject({
      type: 'failed',
      detail: expect.stringContaining('program of this machine'),
    });
    await configure({});
    expect(await logIn(open())).toMatchObject({
      type: 'failed',
      detail: expect.stringContaining('No server is named'),
    });
  });
});
