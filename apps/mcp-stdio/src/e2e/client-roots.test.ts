import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { realServer } from '@gemini-mcp/fake-gemini';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServerProcess, serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create('api');
  await mkdir(join(setup.root, 'work'), { recursive: true });
  await writeFile(join(setup.root, 'work', 'a.txt'), 'WORDS OF A');
  await writeFile(join(setup.root, 'home.txt'), 'CANARY');
  setup.api.reply(text('answered'));
});

afterEach(() => setup.dispose());

type StartOptions = { readonly cwd?: string; readonly environment?: Record<string, string> };

/** Starts a server as Claude Desktop does: in the home directory. */
async function start(
  roots: (() => readonly string[]) | null,
  { cwd = setup.root, environment = {} }: StartOptions = {},
): Promise<ServerProcess> {
  const server = setup.spawn(environment, [], [], cwd);
  if (roots !== null) {
    server.answerRequests('roots/list', () => ({ roots: roots().map((uri) => ({ uri })) }));
  }
  await server.initialize('desktop', roots === null ? {} : { roots: { listChanged: true } });
  return server;
}

const uriOf = (path: string): string => pathToFileURL(join(setup.root, path)).href;

describe('a server that was started in the home directory', () => {
  it('reads nothing of it, nor at the top of the file system, says what to set, and answers all that needs no files (ROOT-06)', async () => {
    const server = await start(null);
    const context = await server.call('gemini_context', { files: ['home.txt'], directories: ['.'] });
    expect(context.text).toContain('PATH_OUTSIDE_ROOT');
    expect(context.text).toContain(
      'is a home directory or holds home directories: the server reads it only if you set it',
    );
    expect(context.text).toContain('Set GEMINI_MCP_ROOTS');
    expect(context.text).toContain("(`cwd` in the client's configuration)");
    const chat = await server.call('chat', { prompt: 'Hi', cwd: '.' });
    expect(chat).toMatchObject({ isError: true, text: expect.stringContaining('Set GEMINI_MCP_ROOTS') });
    expect(await server.call('gemini_query', { prompt: 'Hi' })).toMatchObject({ isError: false });
    expect(await server.call('chat', { prompt: 'Hi' })).toMatchObject({ isError: false });
    expect(server.stderr).toContain('no-root');
    const atTheTop = await start(null, { cwd: '/' });
    const etc = await atTheTop.call('gemini_context', { files: ['etc/hostname'], glob_patterns: ['etc/*'] });
    expect(etc.text).toContain('which holds the whole file system');
    expect(setup.api.requests.map(({ body }) => JSON.stringify(body)).join()).not.toContain('CANARY');
  });

  it("reads what lies below the client's roots, and nothing else (ROOT-07)", async () => {
    await symlink('..', join(setup.root, 'work', 'up'));
    const server = await start(() => ['file:///', uriOf('.'), uriOf('work')]);
    const { text: shown } = await server.call('gemini_context', { files: ['a.txt', 'up/home.txt', '../home.txt'] });
    expect(shown).toContain('Parts: 1, 10 bytes');
    expect(shown).toMatch(/PATH_OUTSIDE_ROOT.*home\.txt/);
    expect(await server.call('gemini_query', { prompt: 'Hi', files: ['a.txt'] })).toMatchObject({ isError: false });
    expect(await server.call('chat', { prompt: 'Hi', cwd: '.' })).toMatchObject({ isError: false });
    expect(await server.call('chat', { prompt: 'Hi', cwd: '..' })).toMatchObject({ isError: true });
    const bodies = setup.api.requests.map(({ body }) => JSON.stringify(body)).join();
    expect(bodies).toContain('WORDS OF A');
    expect(bodies).not.toContain('CANARY');
  });

  it('sends other servers the effective roots, and their changes', async () => {
    const servers = await setup.writeServers({ files: realServer('filesystem', setup.project) });
    await mkdir(join(setup.root, 'later'));
    let roots = ['file:///', uriOf('work')];
    const environment = {
      ...servers,
      GEMINI_MCP_OFFER_SERVERS: 'all',
      GEMINI_MCP_OFFER_AS: 'searched',
    };
    const server = await start(() => roots, { environment });
    const told = async (): Promise<string> =>
      (await server.call('call_tool', { name: 'files__list_allowed_directories' })).text;
    await expect.poll(told, { timeout: 20_000 }).toBe(`Allowed directories:\n${join(setup.root, 'work')}`);
    roots = [uriOf('later')];
    server.send({ method: 'notifications/roots/list_changed' });
    await expect.poll(told, { timeout: 20_000 }).toBe(`Allowed directories:\n${join(setup.root, 'later')}`);
  });

  it('notifies its client if the roots change the list of tools, as with yolo', async () => {
    let roots: readonly string[] = [];
    const server = await start(() => roots, { environment: { GEMINI_MCP_ALLOW_YOLO: '1' } });
    const list = async (): Promise<string> => JSON.stringify((await server.request('tools/list')).result);
    const before = await list();
    roots = [uriOf('work')];
    server.send({ method: 'notifications/roots/list_changed' });
    await server.until(() => server.messages.some(({ method }) => method === 'notifications/tools/list_changed'));
    expect(await list()).not.toBe(before);
  });

  it('reads what GEMINI_MCP_ROOTS names, and asks no client (ROOT-08)', async () => {
    let asked = 0;
    const roots = (): readonly string[] => {
      asked += 1;
      return [uriOf('.')];
    };
    const server = await start(roots, { environment: { GEMINI_MCP_ROOTS: join(setup.root, 'work') } });
    const { text: shown } = await server.call('gemini_context', { files: ['a.txt', '../home.txt'] });
    expect(shown).toMatch(/PATH_OUTSIDE_ROOT.*home\.txt/);
    expect(shown).toContain('Parts: 1, 10 bytes');
    expect(asked).toBe(0);
  });
});

describe('a server that was started outside of a project', () => {
  it.each([
    ['in its own package', async () => dirname(dirname(serverPath)), {}],
    [
      'in the directory of a plugin',
      async () =>
        await mkdir(join(setup.root, '.claude', 'plugins', 'cache', 'gemini'), { recursive: true }).then(() =>
          join(setup.root, '.claude', 'plugins', 'cache', 'gemini'),
        ),
      {},
    ],
    ['where a client says that a plugin is', async () => join(setup.root, 'work'), { PLUGIN_ROOT: 'work' }],
  ])('%s reads nothing there, and says why (ROOT-06)', async (_, directory, variables) => {
    const environment = Object.fromEntries(
      Object.entries(variables).map(([name, path]) => [name, join(setup.root, path)]),
    );
    const server = await start(null, { cwd: await directory(), environment });
    const { text: shown } = await server.call('gemini_context', { directories: ['.'] });
    expect(shown).toContain('belongs to an installed package, plugin or extension');
    expect(shown).toContain('GEMINI_MCP_PROJECTS');
  });

  it('reads by absolute names below the directories with projects, unless the client names a root (ROOT-07)', async () => {
    await mkdir(join(setup.root, 'other'));
    const environment = { GEMINI_MCP_PROJECTS: join(setup.root, 'work') };
    const inWork = join(setup.root, 'work', 'a.txt');
    const outside = join(setup.root, 'home.txt');
    const server = await start(null, { environment });
    const read = await server.call('gemini_context', { files: [inWork, outside] });
    expect(read.text).toContain('Parts: 1, 10 bytes');
    expect(read.text).toMatch(/PATH_OUTSIDE_ROOT.*home\.txt/);
    const ofClient = await start(() => [uriOf('other')], { environment });
    expect((await ofClient.call('gemini_context', { files: [inWork] })).text).toMatch(/PATH_OUTSIDE_ROOT.*a\.txt/);
    const inProject = await start(null, { environment, cwd: join(setup.root, 'other') });
    expect((await inProject.call('gemini_context', { files: [inWork] })).text).toMatch(/PATH_OUTSIDE_ROOT.*a\.txt/);
  });
});
