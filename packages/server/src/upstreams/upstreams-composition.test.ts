import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileRecordStore, GeminiCliFinder, SystemClock } from '@gemini-mcp/adapters-node';
import type { ServerReply, UpstreamServers } from '@gemini-mcp/core/internal';
import { ProjectApprovals } from '@gemini-mcp/core/internal';
import { digestOf, loopHeader, loopVariable, ownerOnThisMachine } from '@gemini-mcp/gemini/internal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfiguration } from '../settings/read-configuration.ts';
import type { SettingsEnvironment } from '../settings/setting.ts';
import { type CreatedUpstreams, createUpstreams } from './create-upstreams.ts';

const never = new AbortController().signal;
const echo = fileURLToPath(new URL('testing/echo-server.mjs', import.meta.url));

let home: string;
let project: string;
const opened: CreatedUpstreams[] = [];
const lines: string[] = [];

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'upstreams-home-')));
  project = join(home, 'project');
  await mkdir(join(home, '.config', 'gemini-mcp-server'), { recursive: true });
  await mkdir(join(project, '.gemini-mcp'), { recursive: true });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ upstreams }) => upstreams.close()));
  await rm(home, { recursive: true });
  lines.splice(0);
});

function open(environment: SettingsEnvironment = {}, isOfOneUser = true): CreatedUpstreams {
  const all = { HOME: home, PATH: process.env['PATH'], ...environment };
  const { configuration } = readConfiguration({ environment: all, currentDirectory: project });
  const finder = new GeminiCliFinder({ environment: all, runsDirectory: join(home, 'runs') });
  const clock = new SystemClock();
  const records = new FileRecordStore({ directory: configuration.stateDirectory, clock });
  const created = createUpstreams({
    configuration,
    environment: all,
    clock,
    records,
    localRecords: records,
    finder,
    isOfOneUser,
    version: '1',
    log: (line) => lines.push(line),
  });
  opened.push(created);
  return created;
}

/** What the user has approved, as another process sees it. */
function openApprovals(): ProjectApprovals {
  const directory = join(home, '.local', 'state', 'gemini-mcp-server');
  return new ProjectApprovals(new FileRecordStore({ directory, clock: new SystemClock() }), digestOf);
}

const userFile = () => join(home, '.config', 'gemini-mcp-server', 'settings.json');
const projectFile = () => join(project, '.gemini-mcp', 'settings.json');

async function configure(path: string, servers: object, mcp: object = {}): Promise<void> {
  await writeFile(path, `// by hand\n${JSON.stringify({ mcpServers: servers, mcp }, null, 2)}`, { mode: 0o600 });
}

const server = (more: object = {}) => ({ command: process.execPath, args: [echo], ...more });

async function tell(servers: UpstreamServers, name: string): Promise<Record<string, string | null> | ServerReply> {
  const asks = { type: 'tool', tool: 'tell', arguments: {} } as const;
  const request = { server: name, asks, deadlineAtMs: Date.now() + 60_000, questions: null };
  const reply = await servers.request(request, never);
  const content = reply.type === 'answered' ? reply.result['structuredContent'] : undefined;
  return content === undefined ? reply : JSON.parse(JSON.stringify(content));
}

async function names({ upstreams }: CreatedUpstreams): Promise<readonly string[]> {
  return (await upstreams.of(ownerOnThisMachine).list({ waitMs: 0 }, never)).map(({ name }) => name);
}

describe('Other servers of the user', () => {
  it('come from the file in the home, with variables that it names and secrets of files, and nothing else of the environment', async () => {
    await writeFile(join(home, 'token'), 's3cret\n', { mode: 0o600 });
    await configure(
      userFile(),
      { a: server({ env: { KEY: '$NAMED', OTHER: `\${NOT_NAMED:-none}`, TOKEN: 'file:~/token', WHERE: '$PWD' } }) },
      { variables: ['NAMED'] },
    );
    const { upstreams } = open({ NAMED: 'yes', NOT_NAMED: 'no', GEMINI_API_KEY: 'a key' });
    expect(await tell(upstreams.of('user'), 'a')).toEqual({
      KEY: 'yes',
      OTHER: 'none',
      TOKEN: 's3cret',
      WHERE: project,
      GEMINI_API_KEY: null,
      [loopVariable]: '1',
      directory: home,
    });
  });

  it('HUB-62: do not show the variables and secrets of the settings when one repeats them in its last words', async () => {
    await writeFile(join(home, 'token'), 'word-of-the-file\n', { mode: 0o600 });
    const says = 'const { KEY, TOKEN, WHERE } = process.env; console.error(KEY, TOKEN, WHERE); process.exit(1)';
    const env = { KEY: '$NAMED', TOKEN: 'file:~/token', WHERE: '$HOME' };
    await configure(
      userFile(),
      { a: { command: process.execPath, args: ['-e', says], env } },
      { variables: ['NAMED'] },
    );
    const told = JSON.stringify(await tell(open({ NAMED: 'word-of-the-variable' }).upstreams.of('user'), 'a'));
    expect(told).toContain(`[redacted] [redacted] ${home}`);
    expect(told + lines.join('')).not.toMatch(/word-of/);
  });

  it('are read again when the file has changed, and its mistakes are reported by line', async () => {
    const created = open();
    expect(await names(created)).toEqual([]);
    await configure(userFile(), { a: server() });
    expect(await names(created)).toEqual(['a']);
    await configure(userFile(), { a: server(), b: server({ comand: 'x' }) });
    expect(await names(created)).toEqual(['a', 'b']);
    const upstreams = await created.upstreams.load();
    expect(await upstreams?.problems()).toEqual([
      {
        file: userFile(),
        line: 15,
        path: 'mcpServers.b.comand',
        message: 'Unknown property. Did you mean "command"?',
      },
    ]);
    await rm(userFile());
    expect(await names(created)).toEqual([]);
  });

  it('HUB-01: are not read from a file that others may write, and this is reported', async () => {
    await configure(userFile(), { a: server() });
    await chmod(userFile(), 0o666);
    const created = open();
    expect(await names(created)).toEqual([]);
    const { merged } = await created.settings.read();
    expect(merged.problems).toEqual([
      expect.objectContaining({ file: userFile(), message: expect.stringContaining('can be written by other users') }),
    ]);
  });

  it('come from another file if one is named, and are empty if off', async () => {
    await configure(userFile(), { a: server() });
    await configure(projectFile(), { p: server() });
    const other = join(home, 'other.json');
    await configure(other, { b: server() });
    expect(await names(open({ GEMINI_MCP_SERVERS_FILE: other }))).toEqual(['b']);
    const off = open({ GEMINI_MCP_SERVERS_FILE: 'off' });
    expect(await names(off)).toEqual([]);
    expect(await off.upstreams.load()).toBeNull();
  });

  it('a missing file and unknown servers are logged once, with the most similar name', async () => {
    const file = join(home, 'nope.json');
    const created = open({ GEMINI_MCP_SERVERS_FILE: file, GEMINI_MCP_OFFER_SERVERS: 'memry' });
    expect(await names(created)).toEqual([]);
    expect(await names(created)).toEqual([]);
    expect(lines).toEqual([
      `GEMINI_MCP_SERVERS_FILE names ${file}, which does not exist.`,
      'GEMINI_MCP_OFFER_SERVERS names memry, but no server has this name.',
    ]);
    await configure(file, { memory: server() });
    expect(await created.settings.findMissing()).toEqual([
      'GEMINI_MCP_OFFER_SERVERS names memry, but no server has this name. Did you mean memory?',
    ]);
  });

  it('over HTTP are only those of the file that the operator names', async () => {
    await configure(userFile(), { a: server() });
    await configure(projectFile(), { p: server() });
    expect(await names(open({}, false))).toEqual([]);
    expect(await names(open({ GEMINI_MCP_SERVERS_FILE: userFile() }, false))).toEqual(['a']);
  });

  it('a missing secret is reported without any value of the settings', async () => {
    await configure(userFile(), { a: server({ env: { TOKEN: 'file:nowhere', KEY: 'plain' } }) });
    expect(await tell(open().upstreams.of('user'), 'a')).toEqual({
      type: 'unavailable',
      detail: `It needs the secret file:nowhere. The file ${join(home, 'nowhere')} cannot be read (ENOENT).`,
      wasSent: false,
    });
  });

  it('HUB-04: are empty in a server that was started as an upstream, which could be its own', async () => {
    await configure(userFile(), { a: server() });
    const created = open({ [loopVariable]: '1' });
    expect(await names(created)).toEqual([]);
    expect(await created.upstreams.load()).toBeNull();
  });
});

describe('How other servers are reached', () => {
  it('a secret missing in the keychain is reported within the time limit', async () => {
    await configure(userFile(), { a: server({ env: { TOKEN: 'keychain:none of this name' } }) });
    expect(await tell(open().upstreams.of('user'), 'a')).toMatchObject({
      type: 'unavailable',
      detail: expect.stringMatching(/^It needs the secret keychain:none of this name\. (?:The|There is no) keychain/),
    });
  });

  it('requests carry the mark of this server, so that it recognizes its own', async () => {
    const heard: unknown[] = [];
    const asked = createServer((request, response) => {
      heard.push(request.headers[loopHeader]);
      response.writeHead(404).end();
    });
    asked.listen(0, '127.0.0.1');
    await once(asked, 'listening');
    const address = asked.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await configure(userFile(), { a: { httpUrl: `http://127.0.0.1:${port}/mcp` } });
    const created = open();
    expect(await tell(created.upstreams.of('user'), 'a')).toMatchObject({ type: 'unavailable' });
    expect(new Set(heard)).toEqual(new Set([created.mark.id]));
    asked.closeAllConnections();
    asked.close();
  });
});

describe('Other servers of a project', () => {
  it('HUB-01: count when the user has approved that very file, and there alone', async () => {
    await configure(projectFile(), { p: server() });
    const created = open();
    expect(await names(created)).toEqual([]);
    const { files, merged } = await created.settings.read();
    expect(merged.problems.map(({ message }) => message)).toEqual([expect.stringContaining('mcp approve')]);
    const [file] = files.filter(({ scope }) => scope === 'project');
    expect(file?.state).toBe('unapproved');
    const approvals = openApprovals();
    const settings = { directory: project, digest: file?.digest ?? '' };
    expect(await approvals.approve(settings, 0)).toBeNull();
    expect(await names(created)).toEqual(['p']);
    expect(await tell(created.upstreams.of('user'), 'p')).toMatchObject({ directory: project });
    await configure(userFile(), { other: server() });
    expect(await names(created)).toEqual(['p', 'other']);
    expect(await tell(created.upstreams.of('user'), 'p')).toMatchObject({ directory: project });
    await configure(projectFile(), { p: server({ trust: true }) });
    expect(await names(created)).toEqual(['other']);
    const elsewhere = { directory: join(home, 'other'), digest: settings.digest };
    expect(await approvals.isApproved(elsewhere)).toBe(false);
  });

  it('HUB-01: files that other programs obey in a repository are not read', async () => {
    await mkdir(join(project, '.gemini'), { recursive: true });
    await mkdir(join(project, '.vscode'), { recursive: true });
    for (const path of ['.gemini/settings.json', '.mcp.json', '.vscode/mcp.json', 'settings.json']) {
      await configure(join(project, path), { p: server({ trust: true }) });
    }
    const created = open();
    expect(await names(created)).toEqual([]);
    expect((await created.settings.read()).merged.problems).toEqual([]);
  });

  it('UPSTREAM-M6: of a file that is not approved nothing but names is read, and nothing beyond 64 kB', async () => {
    await configure(projectFile(), { p: { comand: 'x', headers: 7 } });
    const created = open();
    const [unapproved] = (await created.settings.read()).files.filter(({ scope }) => scope === 'project');
    expect(unapproved).toMatchObject({ settings: null, unapproved: ['p'] });
    const properties = Array.from({ length: 1_000 }, (_, index) => [`${'x'.repeat(60)}${index}`, 1]);
    await configure(projectFile(), { p: Object.fromEntries(properties) });
    const [long] = (await created.settings.read()).files.filter(({ scope }) => scope === 'project');
    expect(long).toMatchObject({ settings: null, unapproved: null });
    expect((await created.settings.read()).merged.problems).toMatchObject([{ path: '' }]);
  });

  it('have digests of their own in each project', async () => {
    await configure(userFile(), { a: server() });
    await configure(projectFile(), { a: server() });
    const created = open();
    const [, , unapproved] = (await created.settings.read()).files;
    const approvals = openApprovals();
    await approvals.approve({ directory: project, digest: unapproved?.digest ?? '' }, 0);
    const { files } = await created.settings.read();
    const digests = files.flatMap(({ settings }) => settings?.servers.get('a')?.digest ?? []);
    expect(new Set(digests).size).toBe(2);
  });
});
