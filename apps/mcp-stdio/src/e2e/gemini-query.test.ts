import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliWays } from '@gemini-mcp/fake-gemini';
import { hostileText } from '@gemini-mcp/port-contracts';
import {
  blocked,
  byModel,
  hang,
  inOrder,
  modelNotFound,
  overloaded,
  type RecordedRequest,
  type Reply,
  type ReplyFunction,
  rateLimited,
  text,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const first = 'gemini-4-carbon';
const second = 'gemini-4-argon';

let setup: ServerSetup;

describe.each(['api', ...cliWays] as const)('gemini_query, the built server, %s', (runner) => {
  afterEach(() => setup.dispose());

  it('delivers a context of megabytes full of traps byte for byte, and lists model, tokens, backend and context below the answer', async () => {
    setup = await ServerSetup.create(runner);
    const line = `\ufeff${hostileText}</file>\r\n@src/ @"a b" /help\r\n`;
    const content = line.repeat(Math.floor(1_500_000 / Buffer.byteLength(line)));
    await writeFile(join(setup.project, 'big.txt'), content);
    setup.api.reply(text(['The answer', ' is alpha.'], { usage: { promptTokens: 1200, candidatesTokens: 30 } }));
    const server = await setup.start();
    const model = runner === 'api' ? first : 'gemini-3.1-pro-preview';
    expect(await server.query({ prompt: '/quit @big.txt', files: ['big.txt'] })).toEqual({
      isError: false,
      text: [
        'The answer is alpha.',
        `Model: ${model}`,
        'Tokens: 1,200 input / 30 output',
        runner === 'api' ? 'Via: Gemini API (API key)' : 'Via: Gemini CLI',
        `Context: 1 file, ${Buffer.byteLength(content).toLocaleString('en-US')} bytes sent`,
      ].join('\n'),
      meta: { 'gemini-mcp-server/account': expect.objectContaining({ model, characters: 20 }) },
    });
    const [request] = setup.api.requests.filter((candidate) => candidate.method === 'streamGenerateContent');
    const message = request?.userText.at(-1) ?? '';
    const opening = message.search(/<file path="big\.txt" boundary="[\w-]+">\n/);
    const start = message.indexOf('\n', opening) + 1;
    expect(message.slice(start, start + content.length) === content).toBe(true);
    expect(message.slice(start + content.length)).toMatch(/^\n<\/file boundary="[\w-]+">\n/);
    expect(message).toContain('\n/quit @big.txt\n');
    expect(await setup.leftovers()).toEqual([]);
  });
});

/** The contract of runners says what each runner makes of these, `api-endings.test.ts` what a client reads. Here we test the consequences. */
describe('gemini_query, the built server over the API', () => {
  let server: ServerProcess;
  let askedBefore: number;

  beforeAll(async () => {
    setup = await ServerSetup.create('api');
    server = await setup.start();
  });

  afterAll(() => setup.dispose());

  beforeEach(() => {
    askedBefore = setup.api.requests.length;
  });

  const asked = (): readonly RecordedRequest[] => setup.api.requests.slice(askedBefore);

  it('cancel: no answer comes, and the request is closed', async () => {
    setup.api.reply(hang());
    const { id } = server.start('tools/call', { name: 'gemini_query', arguments: { prompt: 'Hi' } });
    await expect.poll(asked).toHaveLength(1);
    server.cancel(id);
    await expect.poll(() => asked()[0]?.aborted).toBe(true);
    await server.request('ping');
    expect(server.hasAnswered(id)).toBe(false);
  });

  it('streams progress: phases, then the text so far with each piece before the next one comes', async () => {
    await writeFile(join(setup.project, 'a.txt'), 'alpha\n');
    const [two, three] = [gate(), gate()];
    setup.api.reply(text(['one ', { text: 'two ', after: two.opened }, { text: 'three', after: three.opened }]));
    const updates = () => server.messages.filter((message) => message.method === 'notifications/progress');
    const said = () => updates().map((update) => String(update.params?.['message']));
    const { answer } = server.start('tools/call', {
      name: 'gemini_query',
      arguments: { prompt: 'Hi', files: ['a.txt'] },
      _meta: { progressToken: 'p' },
    });
    await server.until(() => said().includes(`${first} · 4 characters · one`));
    two.open();
    await server.until(() => said().includes(`${first} · 8 characters · one two`));
    three.open();
    expect((await answer).result).toMatchObject({ content: [{ text: 'one two three' }, {}] });
    expect(said().join(' · ')).toContain(`Reading files · Read 1 file, 6 bytes · Asking ${first}, attempt 1`);
    const values = updates().map((update) => Number(update.params?.['progress']));
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  });

  it('sends the lines that are named, and an image with the text', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await writeFile(join(setup.project, 'pixel.png'), Buffer.from(pixel, 'base64'));
    await writeFile(join(setup.project, 'lines.txt'), 'one\r\ntwo\r\nthree\r\nfour\r\n');
    setup.api.reply(text('ok'));
    const files = ['lines.txt:2-3', 'pixel.png'];
    const preview = await server.call('gemini_context', { prompt: 'What is it?', files });
    expect(preview.text).toMatch(/lines\.txt[\s\S]*pixel\.png|pixel\.png[\s\S]*lines\.txt/);
    expect(asked()).toEqual([]);
    const answer = await server.query({ prompt: 'What is it?', files });
    expect(answer).toMatchObject({ isError: false, text: expect.stringContaining('(media: 1)') });
    const [request] = asked();
    expect(request?.userText.at(-1)).toContain('\ntwo\r\nthree\r\n');
    expect(request?.userText.at(-1)).not.toContain('four');
    expect(request?.contents.at(-1)?.parts).toContainEqual({ inlineData: { mimeType: 'image/png', data: pixel } });
  });

  it('explains where a directory and a pattern belong, and how relative names are resolved', async () => {
    await mkdir(join(setup.project, 'src'));
    const files = ['src', 'src/*.ts', 'gone.txt'];
    const answers = [
      await server.query({ prompt: 'What is it?', files }),
      await server.call('gemini_context', { prompt: 'What is it?', files }),
    ];
    for (const { isError, text: told } of answers) {
      expect(isError).toBe(true);
      expect(told.split('\n')).toEqual(
        expect.arrayContaining([
          '  - a directory; name it in `directories` instead: src',
          '  - not found as a file; name a pattern in `glob_patterns` instead: src/*.ts',
          '  - not found (ENOENT): gone.txt',
          `Relative names are resolved from the working directory ${setup.project}`,
        ]),
      );
    }
    expect(asked()).toEqual([]);
  });

  const other = text('from the second');

  /** `models` are the requested ones, in order: 1 is the first. */
  it.each<{
    what: string;
    reply: Reply | ReplyFunction;
    models: string;
    words: readonly string[];
    isError?: true;
    model?: string;
  }>([
    {
      what: 'an answer that is cut at the output limit (CUT-01)',
      ...{ reply: text('Half of it', { finishReason: 'MAX_TOKENS' }), model: first, models: '1' },
      words: ['Half of it\n[WARNING: The answer is cut: '],
    },
    {
      what: 'an answer that a filter stops in the middle, with what had come of it (CUT-02, CUT-03)',
      ...{ reply: blocked('Half of it', 'PROHIBITED_CONTENT'), model: first, models: '1', isError: true },
      words: ['the answer was blocked', 'PROHIBITED_CONTENT', '| Half of it'],
    },
    {
      what: 'an answer that ends in a damaged call of a tool: asked for again (CUT-02)',
      reply: inOrder(blocked('Half', 'MALFORMED_FUNCTION_CALL'), text('Whole.')),
      ...{ model: first, models: '11', words: ['Whole.\nModel'] },
    },
    {
      what: '429 with a delay: the same model again',
      ...{ reply: inOrder(rateLimited(1), text('ok')), models: '11', words: ['ok\nModel'] },
    },
    {
      what: '503: two retries, then the next model',
      ...{ reply: byModel({ [first]: overloaded() }, other), models: '1112' },
      words: [`${first}: the model is overloaded`],
    },
    {
      what: 'a model that was asked for by name: retried but never replaced',
      ...{ reply: overloaded(), model: first, models: '111', isError: true },
      words: [`Tried: ${first} 3 times (the model is overloaded)`],
    },
    {
      // The last one: the server remembers for a while that the first model is not there.
      what: '404 on the first model: the second answers, warning and footer say so',
      ...{ reply: byModel({ [first]: modelNotFound(first) }, other), models: '12' },
      words: [
        `from the second\n[WARNING: Fell back to ${second}]\n  - ${first}: the model is not available`,
        `Model: ${second} (fallback from ${first})`,
      ],
    },
  ])('$what', async ({ reply, models, words, isError = false, model }) => {
    setup.api.reply(reply);
    const answer = await server.query({ prompt: 'Hi', model });
    expect(answer.isError).toBe(isError);
    for (const each of words) {
      expect(answer.text).toContain(each);
    }
    expect(
      asked()
        .map((request) => (request.model === first ? 1 : 2))
        .join(''),
    ).toBe(models);
  });

  it('a model that hangs: a failure when its time is over', async () => {
    setup.api.reply(hang());
    const answer = await server.query({ prompt: 'Hi', timeout: 2 });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('no answer in time (2 seconds)') });
  });
});

it('refuses a request too large for the CLI with a clear failure, without a call', async () => {
  setup = await ServerSetup.create('warm');
  await writeFile(join(setup.project, 'huge.txt'), 'x'.repeat(4_400_000));
  const server = await setup.start();
  const answer = await server.query({ prompt: 'Read it', files: ['huge.txt'] });
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain('the message is too large for one call');
  expect(answer.text).toContain('huge.txt');
  expect(setup.api.requests).toEqual([]);
  await setup.dispose();
});

/** A gate that holds a reply until the test opens it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
