import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, cliOpening, whenInvoked } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const longAnswer = 'A long answer. '.repeat(4_000);

describe('LOAD-03: a hostile state directory, the built server', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create();
    await setup.playCli(cliAnswer(longAnswer));
  });

  afterEach(() => setup.dispose());

  /** The files of a kind that hold contents. */
  async function contentFiles(kind: 'sessions' | 'answers'): Promise<readonly string[]> {
    const directory = join(setup.stateDirectory, 'records', kind);
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter(({ name }) => name.endsWith('.json')).map(({ parentPath, name }) => join(parentPath, name));
  }

  async function expectChatsWork(server: ServerProcess): Promise<void> {
    const begun = await server.call('chat', { prompt: 'again' });
    expect(begun).toMatchObject({ isError: false });
    const { sessionId } = begun.meta ?? {};
    expect(await server.call('chat-reply', { prompt: 'on', sessionId })).toMatchObject({ isError: false });
  }

  const damages: readonly (readonly [string, (path: string) => Promise<void>])[] = [
    ['truncated', (path) => truncate(path, 20)],
    ['random bytes', (path) => writeFile(path, randomBytes(10_000))],
    ['of version 99', (path) => writeFile(path, '{"format":99,"value":{}}')],
    ['of 1 TB, sparse', (path) => truncate(path, 1e12)],
    ['links', (path) => rename(path, `${path}.away`).then(() => symlink(`${path}.away`, path))],
    [
      'pipes',
      (path) =>
        rm(path)
          .then(() => execFileSync('mkfifo', [path]))
          .then(() => undefined),
    ],
    ['directories', (path) => rm(path).then(() => mkdir(path))],
  ];

  it('files that are damaged in any way are put aside and told of in the log; chats go on', async () => {
    const before = await setup.start();
    const left: { sessionId: string; handle: string }[] = [];
    const hurt = new Set<string>();
    for (const [, damage] of damages) {
      const { text, meta } = await before.call('chat', { prompt: 'one' });
      left.push({ sessionId: String(meta?.['sessionId']), handle: /handle "([^"]+)"/.exec(text)?.[1] ?? '' });
      const files = [...(await contentFiles('sessions')), ...(await contentFiles('answers'))];
      for (const file of files.filter((each) => !hurt.has(each))) {
        await damage(file);
        hurt.add(file);
      }
    }
    before.endInput();
    await before.ended;
    const server = await setup.start();
    for (const { sessionId, handle } of left) {
      expect(await server.call('chat-reply', { prompt: 'x', sessionId })).toMatchObject({
        isError: true,
        text: expect.stringContaining('there is no such session'),
      });
      expect(await server.call('gemini_read', { handle })).toMatchObject({ isError: true });
    }
    await expectChatsWork(server);
    const told = server.stderr.split('\n').filter((line) => line.includes('"quarantined"'));
    expect(told).toHaveLength(2 * damages.length);
    const paths = told.map((line): unknown => JSON.parse(line).path);
    expect(paths).toEqual(paths.map(() => expect.stringMatching(/\.corrupt-\d+$/)));
  });

  it.each([
    ['files where directories belong', (path: string): Promise<unknown> => writeFile(path, 'x')],
    ['links to nowhere', (path: string): Promise<unknown> => symlink('/nowhere/at/all', path)],
  ])('%s: the server starts, and Gemini answers', async (_, place) => {
    await mkdir(setup.stateDirectory, { mode: 0o700 });
    await mkdir(join(setup.stateDirectory, 'records'), { mode: 0o700 });
    await place(join(setup.stateDirectory, 'records', 'sessions'));
    await place(join(setup.stateDirectory, 'records', 'answers'));
    await setup.playCli(cliAnswer('short'));
    const server = await setup.start();
    const answer = await server.call('chat', { prompt: 'one' });
    expect(answer).toMatchObject({ isError: false, text: expect.stringContaining('short') });
    expect(answer.text).toContain('was not saved');
    expect((await server.request('resources/list')).result).toBeDefined();
    const page = await server.request('resources/read', { uri: 'gemini://sessions' });
    expect(page.error?.message).toMatch(/^Nothing was done\. /);
  });

  it('a state directory that is a file: a clear failure, and the server goes on', async () => {
    await writeFile(setup.stateDirectory, 'x');
    const server = await setup.start();
    const answer = await server.call('chat', { prompt: 'one' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/^Error executing gemini: /) });
    expect(answer.text).toContain('GEMINI_MCP_STATE_DIR');
    expect(await server.request('ping')).toMatchObject({ result: {} });
  });

  it('invalid runs: the server starts, Gemini answers, and foreign files stay', async () => {
    const outside = join(setup.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'owner.json'), '{"pid":999999999,"startTicks":null}');
    await mkdir(setup.runsDirectory, { recursive: true });
    await chmod(setup.stateDirectory, 0o700);
    await chmod(setup.runsDirectory, 0o700);
    const damaged: readonly ((owner: string) => Promise<void>)[] = [
      (owner) => writeFile(owner, randomBytes(1_000)),
      (owner) => writeFile(owner, '{"pid":-1,"startTicks":null}'),
      (owner) => writeFile(owner, '').then(() => truncate(owner, 3e9)),
      (owner) => symlink('/nowhere/at/all', owner),
    ];
    for (const damage of damaged) {
      const directory = join(setup.runsDirectory, randomUUID());
      await mkdir(directory, { mode: 0o700 });
      await damage(join(directory, 'owner.json'));
    }
    await symlink(outside, join(setup.runsDirectory, randomUUID()));
    await setup.playCli(cliAnswer('short'));
    const server = await setup.start();
    expect(await server.call('chat', { prompt: 'one' })).toMatchObject({ isError: false });
    expect(await readdir(outside)).toEqual(['owner.json']);
    expect(await server.request('ping')).toMatchObject({ result: {} });
  });

  it('two servers on one state directory lose no turn, and sweep away no run of each other', async () => {
    await setup.playCli([...cliOpening(), { do: 'await-file', file: 'go' }, ...cliAnswer('one').slice(-2)]);
    const first = await setup.start();
    const slow = first.startCall('chat', { prompt: 'slow' });
    await whenInvoked(setup.cliDirectory, 1);
    // It starts while the other server has a run, which its sweep must leave alone.
    await setup.playCli(cliAnswer('two'));
    const second = await setup.start();
    expect(await second.call('chat', { prompt: 'quick' })).toMatchObject({ isError: false });
    await writeFile(join(setup.cliDirectory, 'go'), '');
    const { meta, isError } = await slow.result;
    expect(isError).toBe(false);
    const sessionId = String(meta?.['sessionId']);
    const replies = await Promise.all([
      first.call('chat-reply', { prompt: 'from the first', sessionId }),
      second.call('chat-reply', { prompt: 'from the second', sessionId }),
    ]);
    expect(replies.map((reply) => reply.isError)).toEqual([false, false]);
    const newest = await Promise.all((await contentFiles('sessions')).map((file) => readFile(file, 'utf8')));
    const kept = newest.filter((text) => text.includes(sessionId)).join('\n');
    expect(kept).toContain('from the first');
    expect(kept).toContain('from the second');
  });
});
