import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, readInvocations } from '@gemini-mcp/fake-gemini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const sessionIds = [
  '../../x',
  '-r',
  '--session-file=/etc/passwd',
  'latest',
  '',
  '0f8fad5b-d9cb-469f-a165-70867728950e/../../x',
  '0f8fad5b-d9cb-469f-a165-70867728950e\n--yolo',
  '\u202e0f8fad5b-d9cb-469f-a165-70867728950e',
  'x'.repeat(1_000_000),
];

type Refused = readonly [tool: string, args: Readonly<Record<string, unknown>>, field: string];

const refused: readonly Refused[] = [
  ...sessionIds.map((sessionId): Refused => ['chat-reply', { prompt: 'Hi', sessionId }, 'sessionId']),
  ['chat-reply', { prompt: 'Hi', sessionId: ['0f8fad5b-d9cb-469f-a165-70867728950e', 'x'] }, 'sessionId'],
  ['gemini_query', { prompt: 'a\0b' }, 'prompt'],
  ['gemini_query', { prompt: 'a\ud800' }, 'prompt'],
  ['gemini_query', { prompt: 'Hi', model: '--yolo' }, 'model'],
  ['gemini_query', { prompt: 'Hi', model: 'a/../b' }, 'model'],
  ['gemini_query', { prompt: 'Hi', model: '$(id)' }, 'model'],
  ['gemini_query', { prompt: 'Hi', model: 'gpt-9' }, 'model'],
  ['gemini_query', { prompt: 'Hi', sessionId: '../../x' }, 'sessionId'],
  ['gemini_query', { prompt: 'Hi', apiKey: 'k --yolo' }, 'apiKey'],
  ['gemini_query', { prompt: 'Hi', files: Array(100_000).fill('x.txt') }, 'files'],
  ['gemini_query', { prompt: 'Hi', timeout: 3_601 }, 'timeout'],
  ['gemini_query', {}, 'prompt'],
  ['chat', { prompt: 'Hi', systemPrompt: 'a\u0000b' }, 'systemPrompt'],
  ['chat', { prompt: 'Hi', systemPrompt: '' }, 'systemPrompt'],
  ['chat', { prompt: 'Hi', systemPrompt: { toString: 'x' } }, 'systemPrompt'],
  ['chat', { prompt: 'Hi', cwd: 'a\u0000b' }, 'cwd'],
  ['chat', { prompt: 'Hi', cwd: 'x'.repeat(5_000) }, 'cwd'],
  ['chat', { prompt: 'Hi', model: '--yolo' }, 'model'],
  ['chat', { prompt: 'Hi', apiKey: 'key' }, 'apiKey'],
  ['chat', { prompt: 'Hi', yolo: true }, 'yolo'],
  ['geminiChat', { prompt: 'Hi', model: 'gemini-3.1-pro-preview\n--yolo' }, 'model'],
  ['geminiChat', { prompt: 'Hi', model: 'auto' }, 'model'],
  ['geminiChat', { prompt: 'Hi', yolo: 'true' }, 'yolo'],
  ['geminiChat', { prompt: 'Hi', sandbox: 2 }, 'sandbox'],
  ['geminiChat', { prompt: 'Hi', background: 'perhaps' }, 'background'],
  ['geminiChat', { prompt: 'Hi', workingDirectory: 'a\u0000b' }, 'workingDirectory'],
  ['geminiChat', { prompt: ' \n ' }, 'prompt'],
  ['geminiChat', { prompt: 'a\ud800' }, 'prompt'],
  ['geminiChat', { prompt: 'x'.repeat(1_000_001) }, 'prompt'],
  ['googleSearch', { query: '' }, 'query'],
  ['googleSearch', { query: 'Hi', limit: 0 }, 'limit'],
  ['googleSearch', { query: 'Hi', limit: 1e9 }, 'limit'],
  ['googleSearch', { query: 'Hi', limit: 1.5 }, 'limit'],
  ['gemini_job', { handle: 'x', action: 'kill' }, 'action'],
  ['gemini_job', { handle: 'x', timeout: 1e9 }, 'timeout'],
  ['gemini_job', { handle: 'x'.repeat(1_000) }, 'handle'],
  ['gemini_read', { handle: 'x', lines: '10-5x' }, 'lines'],
  ['gemini_read', { handle: 'x', offset: -1 }, 'offset'],
  ['gemini_read', { handle: 'x', search: {} }, 'search'],
  ['gemini_context', { files: ['a\u0000b'] }, 'files'],
];

describe('hostile arguments of chats, searches, jobs and long answers, the built server', () => {
  let setup: ServerSetup;
  let server: ServerProcess;

  beforeAll(async () => {
    setup = await ServerSetup.create();
    await setup.playCli(cliAnswer('fine'));
    await mkdir(join(setup.root, 'outside'));
    await mkdir(`${setup.project}-evil`);
    await symlink(join(setup.root, 'outside'), join(setup.project, 'link'));
    await writeFile(join(setup.project, 'file'), 'x');
    server = await setup.start();
  });

  afterAll(() => setup.dispose());

  const expectNothingRan = async (): Promise<void> => {
    expect(await readInvocations(setup.cliDirectory)).toEqual([]);
  };

  it.each(refused.map(([tool, args, field], index) => ({ tool, args, field, index })))(
    'ARGV-03, ARGV-05, ARGV-06, ARGV-07, PATH-23: $tool refuses $field by name, and nothing is done ($index)',
    async ({ tool, args, field }) => {
      const { isError, text } = await server.call(tool, args);
      expect(isError).toBe(true);
      expect(text).toMatch(new RegExp(`^- "?${field}\\b`, 'm'));
      expect(text).not.toMatch(/\n\s+at |node:internal|ERR_/);
      expect(text.length).toBeLessThan(1_500);
      await expectNothingRan();
    },
  );

  it.each(['../outside', 'link', 'file', 'missing', '/', '/etc', '-C', '~', '$HOME', '../project-evil', 'link/../..'])(
    'PATH-01, PATH-03, PATH-04: a working directory of %j is refused, and nothing is run',
    async (name) => {
      const answers = [
        await server.call('chat', { prompt: 'Hi', cwd: name }),
        await server.call('geminiChat', { prompt: 'Hi', workingDirectory: name }),
      ];
      for (const { isError, text } of answers) {
        expect(isError).toBe(true);
        expect(text).toMatch(/^Error executing gemini: the working directory cannot be used\.\n/);
      }
      await expectNothingRan();
    },
  );

  it.each(['../../etc/passwd', '__proto__', 'constructor', '-x', '.', '\u001b[2J', 'A'.repeat(100)])(
    'a handle of %j is of nothing that there is',
    async (handle) => {
      const read = await server.call('gemini_read', { handle });
      const job = await server.call('gemini_job', { handle, action: 'cancel' });
      expect(read).toMatchObject({ isError: true, text: expect.stringContaining('Unknown answer') });
      expect(job).toMatchObject({ isError: true, text: expect.stringContaining('Unknown job') });
    },
  );

  it.each([
    'gemini://sessions/../answers',
    'gemini://sessions/0f8fad5b-d9cb-469f-a165-70867728950e/..',
    'gemini://answers/..%2f..%2fetc%2fpasswd',
    'file:///etc/passwd',
    'gemini://',
    '',
    'x'.repeat(1_000_000),
  ])('a resource of a wrong name is unknown (%#)', async (uri) => {
    const { error } = await server.request('resources/read', { uri });
    expect([-32_002, -32_602]).toContain(error?.code);
    expect(error?.message.length).toBeLessThan(2_000);
  });
});
