import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CliStep, cliAnswer, cliOpening } from '@gemini-mcp/fake-gemini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess, ToolResult } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const maxBytes = 40_000;
const line = 'The quick brown fox jumps over the lazy dog \u{1f98a}.\n';
const longText = line.repeat(Math.ceil(300_000 / line.length)).slice(0, 300_000);
const chineseText = '\u654f\u6377\u7684\u68d5\u8272\u72d0\u72f8\u8df3\u8fc7\u61d2\u72d7\u3002'.repeat(25_000);

function answerOf(characters: number): readonly CliStep[] {
  return cliAnswer('x'.repeat(characters));
}

function failingAfter(text: string): readonly CliStep[] {
  return [...cliOpening(), { do: 'text', chunks: [text] }, { do: 'exit', code: 52 }];
}

describe('no result takes more than 40,000 bytes, the built server', () => {
  let setup: ServerSetup;
  let server: ServerProcess;

  beforeAll(async () => {
    setup = await ServerSetup.create();
    await setup.playCli(cliAnswer('fine'));
    server = await setup.start();
  });

  afterAll(() => setup.dispose());

  async function readWhole({ text: first }: ToolResult): Promise<string> {
    const handle = /handle "([^"]+)"/.exec(first)?.[1] ?? '';
    let read = '';
    for (let offset: string | undefined = '0'; offset !== undefined; ) {
      const { text, isError } = await server.call('gemini_read', { handle, offset: Number(offset) });
      expect(isError).toBe(false);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
      const placeAt = text.lastIndexOf('\n[Characters ');
      read += text.slice(0, placeAt);
      const next: string | undefined = /Read on with offset (\d+)\./.exec(text.slice(placeAt))?.[1];
      expect(Number(next ?? Number.POSITIVE_INFINITY)).toBeGreaterThan(Number(offset));
      offset = next;
    }
    return read;
  }

  it.each([
    ['characters', longText],
    ['Chinese characters', chineseText],
  ])('an answer of 300,000 %s, from every tool that asks Gemini', async (_, answerText) => {
    await setup.playCli(cliAnswer(answerText));
    const answers = await Promise.all([
      server.call('gemini_query', { prompt: 'Hi' }),
      server.call('geminiChat', { prompt: 'Hi' }),
      server.call('chat', { prompt: 'Hi' }),
    ]);
    for (const answer of answers) {
      expect(answer.isError).toBe(false);
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(maxBytes);
      expect((await readWhole(answer)) === answerText).toBe(true);
    }
    const search = await server.call('googleSearch', { query: 'Hi' });
    expect(Buffer.byteLength(search.text)).toBeLessThanOrEqual(maxBytes);
  });

  it('an answer that just fits, also as the result of a job, which has a line before it', async () => {
    await setup.playCli(answerOf(38_700), answerOf(38_850), answerOf(38_999), answerOf(39_880), answerOf(40_000));
    for (let round = 0; round < 5; round += 1) {
      const { meta } = await server.call('gemini_query', { prompt: '\u202e'.repeat(100), background: true });
      const job = await server.call('gemini_job', { handle: String(meta?.['jobHandle']), action: 'wait' });
      expect(job).toMatchObject({ isError: false, meta: { jobState: 'succeeded' } });
      expect(Buffer.byteLength(job.text)).toBeLessThanOrEqual(maxBytes);
    }
  });

  it.each([
    ['characters', longText],
    ['Chinese characters', chineseText],
  ])('what had come of 300,000 %s before a failure, and all of it can be read', async (_, answerText) => {
    await setup.playCli(failingAfter(answerText));
    const answers = await Promise.all([
      server.call('gemini_query', { prompt: 'Hi', model: 'gemini-3.1-pro-preview' }),
      server.call('geminiChat', { prompt: 'Hi', model: 'gemini-3.1-pro-preview' }),
      server.call('chat', { prompt: 'Hi', model: 'gemini-3.1-pro-preview' }),
      server.call('googleSearch', { query: 'Hi', model: 'gemini-3.1-pro-preview' }),
    ]);
    for (const answer of answers) {
      expect(answer.isError).toBe(true);
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(maxBytes);
      expect((await readWhole(answer)) === answerText).toBe(true);
    }
  });

  it('a job that was cancelled with 300,000 characters on the way keeps them all', async () => {
    await setup.playCli([...cliOpening(), { do: 'text', chunks: [longText] }, { do: 'hang' }]);
    const { meta } = await server.call('geminiChat', { prompt: 'Hi', background: true });
    const handle = String(meta?.['jobHandle']);
    for (let said = ''; !said.includes('200,000 characters'); ) {
      const running = await server.call('gemini_job', { handle, action: 'wait', timeout: 1 });
      expect(Buffer.byteLength(running.text)).toBeLessThanOrEqual(maxBytes);
      said = running.text;
    }
    const cancelled = await server.call('gemini_job', { handle, action: 'cancel' });
    expect(cancelled.meta).toMatchObject({ jobState: 'cancelled' });
    expect(Buffer.byteLength(cancelled.text)).toBeLessThanOrEqual(maxBytes);
    expect((await readWhole(cancelled)) === longText).toBe(true);
    expect(await setup.leftovers()).toEqual([]);
  });

  it('controls, which are shown escaped, do not make a failure longer', async () => {
    await setup.playCli(failingAfter('\u001b\r\n'.repeat(30_000)));
    const answer = await server.call('geminiChat', { prompt: 'Hi', model: 'gemini-3.1-pro-preview' });
    expect(answer.isError).toBe(true);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(maxBytes);
  });

  it('1,000 names of files that are missing', async () => {
    await setup.playCli(cliAnswer('fine'));
    await writeFile(join(setup.project, 'there.txt'), 'here');
    const missing = Array.from({ length: 999 }, (_, index) => `${'\u202e/'.repeat(140)}${index}`);
    for (const tool of ['gemini_query', 'gemini_context']) {
      const all = await server.call(tool, { prompt: 'Hi', files: missing });
      expect(Buffer.byteLength(all.text)).toBeLessThanOrEqual(maxBytes);
      const some = await server.call(tool, { prompt: 'Hi', files: ['there.txt', ...missing] });
      expect(some.isError).toBe(false);
      expect(Buffer.byteLength(some.text)).toBeLessThanOrEqual(maxBytes);
    }
  });

  it('1,000 files with long names', async () => {
    await setup.playCli(cliAnswer('fine'));
    const directory = join(setup.project, 'd'.repeat(200), 'e'.repeat(200));
    await mkdir(directory, { recursive: true });
    const names = Array.from({ length: 1_000 }, (_, index) => `${'\u001b'.repeat(50)}${index}.txt`);
    await Promise.all(names.map((name) => writeFile(join(directory, name), name)));
    const preview = await server.call('gemini_context', { directories: ['.'] });
    expect(preview).toMatchObject({ isError: false });
    expect(Buffer.byteLength(preview.text)).toBeLessThanOrEqual(maxBytes);
    const answer = await server.call('gemini_query', { prompt: 'Hi', directories: ['.'] });
    expect(answer).toMatchObject({ isError: false });
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(maxBytes);
  });

  it('what is found in a long answer, whatever is looked for', async () => {
    await setup.playCli(answerOf(300_000));
    const { text } = await server.call('geminiChat', { prompt: 'Hi' });
    const handle = /handle "([^"]+)"/.exec(text)?.[1] ?? '';
    for (const place of [{ search: 'x' }, { search: 'x'.repeat(200) }, { lines: '1-' }, { offset: 0 }]) {
      const found = await server.call('gemini_read', { handle, ...place });
      expect(found.isError).toBe(false);
      expect(Buffer.byteLength(found.text)).toBeLessThanOrEqual(maxBytes);
    }
  });

  it('arguments that are all wrong', async () => {
    await setup.playCli(cliAnswer('fine'));
    const wrong = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`${'\u001b'.repeat(100)}${index}`, 1]),
    );
    for (const tool of ['gemini_query', 'gemini_context', 'gemini_read', 'gemini_job', 'chat-reply', 'googleSearch']) {
      const answer = await server.call(tool, { ...wrong, files: Array(1_000).fill(1), handle: 'x'.repeat(100_000) });
      expect(answer.isError).toBe(true);
      expect(answer.text.length).toBeLessThan(5_000);
    }
  });
});
