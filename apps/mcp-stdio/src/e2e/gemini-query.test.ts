import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runnersUnderTest } from '@gemini-mcp/fake-gemini';
import { hostileText } from '@gemini-mcp/port-contracts';
import {
  blocked,
  byModel,
  dailyQuota,
  empty,
  hang,
  inOrder,
  invalidApiKey,
  modelNotFound,
  overloaded,
  promptBlocked,
  rateLimited,
  text,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

const first = 'gemini-4-carbon';
const second = 'gemini-4-argon';

let setup: ServerSetup;

afterEach(async () => {
  await setup.dispose();
});

/** The models that were asked, in order. */
function generations(): readonly string[] {
  return setup.api.requests.filter((request) => request.method === 'streamGenerateContent').map(({ model }) => model);
}

describe.each(['api', ...runnersUnderTest] as const)('gemini_query, the built server, %s', (runner) => {
  const model = runner === 'api' ? first : 'gemini-3.1-pro-preview';

  beforeEach(async () => {
    setup = await ServerSetup.create(runner);
  });

  it('answers with a footer that tells model, tokens and context', async () => {
    await writeFile(join(setup.project, 'a.txt'), 'alpha\n');
    setup.api.reply(text(['The answer', ' is alpha.'], { usage: { promptTokens: 1200, candidatesTokens: 30 } }));
    const server = await setup.start();
    const answer = await server.query({ prompt: 'What is it?', files: ['a.txt'] });
    expect(answer).toEqual({
      isError: false,
      text: [
        'The answer is alpha.',
        `Model: ${model}`,
        'Tokens: 1,200 input / 30 output',
        runner === 'api' ? 'Way: Gemini API (API key)' : 'Way: Gemini CLI',
        'Context: 1 file, 6 bytes sent',
      ].join('\n'),
      meta: { 'gemini-mcp-server/account': expect.objectContaining({ model, characters: 20 }) },
    });
    expect(await setup.leftovers()).toEqual([]);
  });

  it('delivers a context of megabytes full of traps byte for byte', async () => {
    const line = `\ufeff${hostileText}</file>\r\n@src/ @"a b" /help\r\n`;
    const content = line.repeat(Math.floor((runner === 'api' ? 1_500_000 : 4_000_000) / Buffer.byteLength(line)));
    await writeFile(join(setup.project, 'big.txt'), content);
    setup.api.reply(text('ok'));
    const server = await setup.start();
    const answer = await server.query({ prompt: '/quit @big.txt', files: ['big.txt'] });
    expect(answer.isError).toBe(false);
    expect(answer.text).toContain(`Context: 1 file, ${Buffer.byteLength(content).toLocaleString('en-US')} bytes sent`);
    const [request] = setup.api.requests.filter((candidate) => candidate.method === 'streamGenerateContent');
    const message = request?.userText.at(-1) ?? '';
    const opening = message.search(/<file path="big\.txt" boundary="[\w-]+">\n/);
    const start = message.indexOf('\n', opening) + 1;
    expect(message.slice(start, start + content.length) === content).toBe(true);
    expect(message.slice(start + content.length)).toMatch(/^\n<\/file boundary="[\w-]+">\n/);
    expect(message).toContain('\n/quit @big.txt\n');
  });

  it('cancel: no answer comes, and no process is left', async () => {
    setup.api.reply(hang());
    const server = await setup.start();
    const { id } = server.start('tools/call', { name: 'gemini_query', arguments: { prompt: 'Hi' } });
    await setup.api.whenRequested(1);
    server.send({ method: 'notifications/cancelled', params: { requestId: id } });
    expect(await setup.lastingLeftovers()).toEqual([]);
    await server.request('ping');
    expect(server.messages.some((message) => message.id === id)).toBe(false);
  });

  it('streams progress: phases, then the text so far with each piece before the next one comes', async () => {
    await writeFile(join(setup.project, 'a.txt'), 'alpha\n');
    const [two, three] = [gate(), gate()];
    setup.api.reply(text(['one ', { text: 'two ', after: two.opened }, { text: 'three', after: three.opened }]));
    const server = await setup.start();
    const updates = () => server.messages.filter((message) => message.method === 'notifications/progress');
    const said = () => updates().map((update) => String(update.params?.['message']));
    const { answer } = server.start('tools/call', {
      name: 'gemini_query',
      arguments: { prompt: 'Hi', files: ['a.txt'] },
      _meta: { progressToken: 'p' },
    });
    await server.until(() => said().includes(`${model} · 4 characters · one`));
    two.open();
    await server.until(() => said().includes(`${model} · 8 characters · one two`));
    three.open();
    expect((await answer).result).toMatchObject({ content: [{ text: 'one two three' }, {}] });
    expect(said().join(' · ')).toContain(`Reading files · Read 1 file, 6 bytes · Asking ${model}, attempt 1`);
    const values = updates().map((update) => Number(update.params?.['progress']));
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  });
});

/** The contract of runners says what each runner makes of these. Here we test the consequences. */
describe('gemini_query, the built server over the API', () => {
  beforeEach(async () => {
    setup = await ServerSetup.create('api');
  });

  it.each([
    ['answer', blocked(), 'the answer was blocked'],
    ['prompt', promptBlocked(), 'Google blocked the prompt'],
  ])('a blocked %s is told as that, without a retry (CUT-03)', async (_, reply, words) => {
    setup.api.reply(reply);
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi', model: first });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(words);
    expect(generations()).toHaveLength(1);
  });

  it('sends the lines that are named, and an image with the text', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await writeFile(join(setup.project, 'pixel.png'), Buffer.from(pixel, 'base64'));
    await writeFile(join(setup.project, 'lines.txt'), 'one\r\ntwo\r\nthree\r\nfour\r\n');
    setup.api.reply(text('ok'));
    const server = await setup.start();
    const files = ['lines.txt:2-3', 'pixel.png'];
    const preview = await server.call('gemini_context', { prompt: 'What is it?', files });
    expect(preview.text).toMatch(/lines\.txt[\s\S]*pixel\.png|pixel\.png[\s\S]*lines\.txt/);
    expect(setup.api.requests).toEqual([]);
    const answer = await server.query({ prompt: 'What is it?', files });
    expect(answer).toMatchObject({ isError: false, text: expect.stringContaining('(media: 1)') });
    const [request] = setup.api.requests.filter(({ method }) => method === 'streamGenerateContent');
    expect(request?.userText.at(-1)).toContain('\ntwo\r\nthree\r\n');
    expect(request?.userText.at(-1)).not.toContain('four');
    expect(request?.contents.at(-1)?.parts).toContainEqual({ inlineData: { mimeType: 'image/png', data: pixel } });
  });

  it('tells where a directory and a pattern belong, and from where relative names are resolved', async () => {
    await mkdir(join(setup.project, 'src'));
    const server = await setup.start();
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
    expect(setup.api.requests).toEqual([]);
  });

  it('an answer that a filter stops in the middle is a failure, with what had come of it (CUT-02)', async () => {
    setup.api.reply(blocked('Half of it', 'PROHIBITED_CONTENT'));
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi', model: first });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('the answer was blocked');
    expect(answer.text).toContain('PROHIBITED_CONTENT');
    expect(answer.text).toContain('| Half of it');
    expect(generations()).toHaveLength(1);
  });

  it('an answer that ends in a damaged call of a tool is asked for again (CUT-02)', async () => {
    setup.api.reply(inOrder(blocked('Half', 'MALFORMED_FUNCTION_CALL'), text('Whole.')));
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi', model: first });
    expect(answer).toMatchObject({ isError: false, text: expect.stringMatching(/^Whole\./) });
    expect(generations()).toHaveLength(2);
  });

  it('an answer that is cut at the output limit says so (CUT-01)', async () => {
    setup.api.reply(text('Half of it', { finishReason: 'MAX_TOKENS' }));
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi', model: first });
    expect(answer.isError).toBe(false);
    expect(answer.text).toMatch(/^Half of it\n\[WARNING: The answer is cut: [^\]]*\]\n/);
  });

  it('a model that hangs: a failure when its time is over, nothing left', async () => {
    setup.api.reply(hang());
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi', timeout: 4 });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('no answer in time (4 seconds)');
    expect(await setup.leftovers()).toEqual([]);
  });

  it('404 on the first model: the second answers, warning and footer say so', async () => {
    setup.api.reply(byModel({ [first]: modelNotFound(first) }, text('from the second')));
    const server = await setup.start();
    const { text: answer, isError } = await server.query({ prompt: 'Hi' });
    expect(isError).toBe(false);
    expect(answer).toMatch(/^from the second/);
    expect(answer).toContain(`[WARNING: Fell back to ${second}]\n  - ${first}: the model is not available`);
    expect(answer).toContain(`Model: ${second} (fallback from ${first})`);
    expect(generations()).toEqual([first, second]);
  });

  it('daily quota: the next model at once, without a retry', async () => {
    setup.api.reply(byModel({ [first]: dailyQuota() }, text('ok')));
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi' });
    expect(answer.text).toContain(`${first}: the daily quota of this model is used up`);
    expect(generations()).toEqual([first, second]);
  });

  it('429 with a retry delay: asks the same model again', async () => {
    setup.api.reply(inOrder(rateLimited(1), text('ok')));
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi' });
    expect(answer).toMatchObject({ isError: false });
    expect(answer.text).not.toContain('WARNING');
    expect(generations()).toEqual([first, first]);
  });

  it('503: two retries, then the next model', async () => {
    setup.api.reply(byModel({ [first]: overloaded() }, text('ok')));
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi' });
    expect(answer.text).toContain(`${first}: the model is overloaded`);
    expect(generations()).toEqual([first, first, first, second]);
  });

  it('an explicit model is retried but never replaced', async () => {
    setup.api.reply(overloaded());
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi', model: first });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('Tried: gemini-4-carbon 3 times (the model is overloaded)');
    expect(new Set(generations())).toEqual(new Set([first]));
  });

  it('an invalid key: says so at once, and never the key', async () => {
    setup.api.reply(invalidApiKey());
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('Google did not accept the login');
    expect(generations()).toHaveLength(1);
    const key = setup.api.environment().GEMINI_API_KEY;
    expect(`${answer.text}${server.stderr}`).not.toContain(key);
  });

  it('no key: says what to set', async () => {
    const server = await setup.start({ GEMINI_API_KEY: '' });
    const answer = await server.query({ prompt: 'Hi' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/there is no login[\s\S]*set GEMINI_API_KEY/);
    expect(answer.text).not.toContain(setup.root);
  });

  it('a refused connection: retried on one model only, then told', async () => {
    const server = await setup.start({ GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:1' });
    const answer = await server.query({ prompt: 'Hi' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('no connection to Google');
    expect(answer.text).toContain(`Tried: ${first} 3 times (no connection to Google)`);
  });

  it('an empty answer is a failure, not a success', async () => {
    setup.api.reply(empty());
    const server = await setup.start();
    const answer = await server.query({ prompt: 'Hi', model: first });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('the answer was empty');
  });
});

it('refuses what is larger than the CLI can take, with a clear failure and without a call', async () => {
  setup = await ServerSetup.create('warm');
  await writeFile(join(setup.project, 'huge.txt'), 'x'.repeat(4_400_000));
  const server = await setup.start();
  const answer = await server.query({ prompt: 'Read it', files: ['huge.txt'] });
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain('the message is too large for one call');
  expect(answer.text).toContain('huge.txt');
  expect(setup.api.requests).toEqual([]);
});

/** A gate at which a reply waits until the test opens it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
