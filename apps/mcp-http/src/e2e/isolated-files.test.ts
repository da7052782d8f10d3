import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, offeredName, readInvocations } from '@gemini-mcp/fake-gemini';
import { type JsonRecord, type RecordedRequest, text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import type { McpHttpClient } from './mcp-http-client.ts';
import { clientOf, tokenOf } from './principals.ts';
import { contents, TwoHomes } from './two-homes.ts';

let setup: HttpSetup;
let homes: TwoHomes;
let server: HttpServerProcess;
let alice: McpHttpClient;
let bob: McpHttpClient;
let carol: McpHttpClient;

async function start(created: HttpSetup): Promise<void> {
  setup = created;
  homes = await TwoHomes.create(setup);
  server = await homes.start(setup);
  [alice, bob, carol] = [clientOf('alice', server), clientOf('bob', server), clientOf('carol', server)];
}

async function stop(): Promise<void> {
  for (const client of [alice, bob, carol]) {
    client.close();
  }
  await setup.dispose();
}

function rest(name: string, path: string, body: JsonRecord): Promise<Response> {
  return fetch(`${server.origin}/api/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokenOf(name)}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe('files of two principals with directories of their own, the built HTTP server', () => {
  beforeAll(async () => {
    const created = await HttpSetup.create();
    await created.playCli(cliAnswer('ok'));
    await start(created);
  });

  afterAll(stop);

  /** The input of the CLI's last run. */
  const lastMessage = async (): Promise<string> => {
    const invocation = (await readInvocations(setup.cliDirectory)).at(-1);
    return readFile(invocation?.stdin?.file ?? '', 'utf8');
  };

  const ways = (): readonly (readonly [argument: string, own: string, foreign: readonly string[]])[] => [
    [
      'files',
      'alice.txt',
      [join(homes.bob, 'bob.txt'), '../bob/bob.txt', 'src/../../bob/bob.txt', 'link.txt', 'linked/bob.txt'].concat(
        'src/linked/bob.txt',
        join(homes.project, 'server.txt'),
        `${homes.alice}/../bob/bob.txt`,
      ),
    ],
    [
      'glob_patterns',
      '*.txt',
      [`${homes.bob}/*`, '../bob/*', '../*/*.txt', 'linked/*', '**/linked/*', '{src,linked}/**', `${homes.project}/*`],
    ],
    ['directories', '.', [homes.bob, '../bob', '..', 'linked', 'src/linked', homes.project]],
  ];

  it.each(['files', 'glob_patterns', 'directories'])('%s: no text of the other reaches Gemini', async (wanted) => {
    const [argument, own, foreign] = ways().find(([name]) => name === wanted) ?? ['', '', []];
    const result = await alice.call('gemini_query', { prompt: 'x', [argument]: [own, ...foreign] });
    expect(result).toMatchObject({ isError: false });
    const message = await lastMessage();
    expect(message).toContain(contents.alice);
    expect(message).not.toContain(contents.bob);
    expect(message).not.toContain(contents.server);
    // Also over REST, which names each omitted file.
    const answer = await rest('alice', 'gemini-query', { prompt: 'x', [argument]: [own, ...foreign] });
    expect(answer.status).toBe(200);
    const { account } = (await answer.json()) as { account: { context: { leftOut: unknown[] } } };
    expect(account.context.leftOut.length).toBeGreaterThanOrEqual(argument === 'files' ? foreign.length : 1);
    expect(await lastMessage()).not.toContain(contents.bob);
    // Its owner may read the file that others may not.
    await bob.call('gemini_query', { prompt: 'x', files: ['bob.txt'] });
    expect(await lastMessage()).toContain(contents.bob);
  });

  it('files of the other are neither suggested nor revealed by differing answers', async () => {
    const complete = async (value: string): Promise<string> =>
      JSON.stringify(
        await alice.request('completion/complete', {
          ref: { type: 'ref/prompt', name: 'find-bugs' },
          argument: { name: 'path', value },
        }),
      );
    expect(await complete('al')).toContain('alice.txt');
    for (const value of ['../', '../bob/', `${homes.bob}/`, 'linked/', `${homes.project}/`]) {
      expect(await complete(value)).not.toMatch(/bob\.txt|server\.txt/);
    }
    const leftOut = async (file: string): Promise<string> =>
      (await alice.call('gemini_context', { prompt: 'x', files: ['alice.txt', file] })).text.replaceAll(file, '<file>');
    expect(await leftOut(join(homes.bob, 'bob.txt'))).toContain('PATH_OUTSIDE_ROOT');
    expect(await leftOut(join(homes.bob, 'bob.txt'))).toBe(await leftOut(join(homes.bob, 'xyz.txt')));
  });

  it.each([
    ['the other one', () => homes.bob],
    ['the way there', () => '../bob'],
    ['a link there', () => 'linked'],
    ['the server', () => homes.project],
    ['all of them', () => '..'],
  ])('no call runs in the directory of %s', async (_, directory) => {
    const runsBefore = (await readInvocations(setup.cliDirectory)).length;
    const calls = [
      await alice.call('geminiChat', { prompt: 'x', workingDirectory: directory() }),
      await alice.call('chat', { prompt: 'x', cwd: directory() }),
    ];
    expect(calls).toMatchObject([{ isError: true }, { isError: true }]);
    expect((await rest('alice', 'gemini-chat', { prompt: 'x', workingDirectory: directory() })).status).toBe(403);
    expect(await readInvocations(setup.cliDirectory)).toHaveLength(runsBefore);
  });

  it.each([
    ['gemini_query', 'gemini-query', { prompt: 'x', files: ['bob.txt'] }, 'gemini:query gemini:files'],
    ['gemini_query', 'gemini-query', { prompt: 'x', directories: ['.'] }, 'gemini:query gemini:files'],
    ['gemini_context', 'gemini-context', { prompt: 'x' }, 'gemini:query gemini:files'],
    ['geminiChat', 'gemini-chat', { prompt: 'x', workingDirectory: '.' }, 'gemini:chat gemini:files'],
    ['chat', 'chat', { prompt: 'x', cwd: '.' }, 'gemini:chat gemini:files'],
  ])(
    'HTTP-21: %s with a file name is refused to a principal without file access: %s %j',
    async (name, path, args, needed) => {
      const runsBefore = (await readInvocations(setup.cliDirectory)).length;
      const overMcp = await carol.send({
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      });
      expect(overMcp.status).toBe(403);
      expect(overMcp.messages).toMatchObject([{ error: { data: { reason: 'insufficient-scope' } } }]);
      const expected = `error="insufficient_scope", scope="${needed}"`;
      expect(overMcp.headers['www-authenticate']).toContain(expected);
      const overRest = await rest('carol', path, args);
      expect(overRest.status).toBe(403);
      expect(overRest.headers.get('WWW-Authenticate')).toContain(expected);
      expect(await overRest.json()).toMatchObject({ error: { code: 'insufficient-scope' } });
      expect(await readInvocations(setup.cliDirectory)).toHaveLength(runsBefore);
    },
  );

  it('HTTP-21: such a principal learns about no file, not even whether it exists', async () => {
    const answer = await carol.send({
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'completion/complete',
        params: { ref: { type: 'ref/prompt', name: 'find-bugs' }, argument: { name: 'path', value: '' } },
      },
    });
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('bob.txt');
  });
});

type Call = readonly [name: string, args: JsonRecord];

/** Everything that was sent to the model. */
function sentTo(requests: readonly RecordedRequest[]): string {
  return JSON.stringify(requests.map(({ body }) => body));
}

describe('files that Gemini reads with its own tools, the real Gemini CLI', () => {
  let seenBefore = 0;

  beforeAll(async () => {
    await start(await HttpSetup.create('warm'));
  });

  beforeEach(() => {
    seenBefore = setup.api.requests.length;
  });

  afterAll(stop);

  const attempts = (): readonly Call[] => [
    ['view_file', { file_path: 'alice.txt' }],
    ['search_files', { pattern: 'CANARY' }],
    ...[
      join(homes.bob, 'bob.txt'),
      '../bob/bob.txt',
      'link.txt',
      'linked/bob.txt',
      join(homes.project, 'server.txt'),
    ].map((path): Call => ['view_file', { file_path: path }]),
    ['list_files', { dir_path: 'linked' }],
    ['list_files', { pattern: '../**/*.txt' }],
  ];

  it.each([
    ['geminiChat', {}],
    ['chat', { cwd: '.' }],
  ])("%s: are in the caller's directory", async (name, args) => {
    const calls = attempts();
    setup.api.reply((request, index) => {
      const [name, args] = calls[index] ?? [];
      return name === undefined || args === undefined ? text('done') : toolCall(offeredName(request, name), args);
    });
    const result = await alice.call(name, { prompt: 'Look around', ...args });
    expect(result).toMatchObject({ isError: false });
    const requests = setup.api.requests.slice(seenBefore);
    expect(requests).toHaveLength(calls.length + 1);
    const sent = sentTo(requests);
    expect(sent).toContain(contents.alice);
    expect(sent).not.toContain(contents.bob);
    expect(sent).not.toContain(contents.server);
  });

  it('are empty for a caller without file access: no tools, no directory', async () => {
    setup.api.reply(text('from your words alone'));
    const result = await carol.call('geminiChat', { prompt: 'Look around' });
    expect(result).toMatchObject({ isError: false });
    const [request, ...others] = setup.api.requests.slice(seenBefore);
    expect(others).toEqual([]);
    // The CLI's tool for the model to name its topic. It reads nothing.
    expect(request?.functionNames).toEqual(['update_topic']);
    const sent = sentTo(setup.api.requests.slice(seenBefore));
    for (const directory of [homes.alice, homes.bob, homes.project]) {
      expect(sent).not.toContain(directory);
    }
    expect(sent).not.toMatch(/bob\.txt|server\.txt|CANARY/);
  });
});
