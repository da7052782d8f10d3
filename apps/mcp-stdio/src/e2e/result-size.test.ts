import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CliStep, cliAnswer, cliOpening } from '@gemini-mcp/fake-gemini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess, ToolResult } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const maxBytes = 40_000;
const chineseText = '\u654f\u6377\u7684\u68d5\u8272\u72d0\u72f8\u8df3\u8fc7\u61d2\u72d7\u3002'.repeat(25_000);

const failing: readonly CliStep[] = [...cliOpening(), { do: 'text', chunks: [chineseText] }, { do: 'exit', code: 52 }];

// Tests in packages/mcp cover jobs, parts of an answer and wrong arguments.
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
    ['an answer', cliAnswer(chineseText), {}],
    ['what had come before a failure', failing, { model: 'gemini-3.1-pro-preview' }],
  ])(
    '%s of 300,000 Chinese characters, from every tool that asks Gemini, can be read whole',
    async (_, steps, args) => {
      await setup.playCli(steps);
      const answers = await Promise.all([
        server.call('gemini_query', { prompt: 'Hi', ...args }),
        server.call('geminiChat', { prompt: 'Hi', ...args }),
        server.call('chat', { prompt: 'Hi', ...args }),
      ]);
      for (const answer of answers) {
        expect(answer.isError).toBe(steps === failing);
        expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(maxBytes);
        expect((await readWhole(answer)) === chineseText).toBe(true);
      }
      const search = await server.call('googleSearch', { query: 'Hi', ...args });
      expect(Buffer.byteLength(search.text)).toBeLessThanOrEqual(maxBytes);
    },
  );

  it('1,000 files with long names, and 1,000 that are missing', async () => {
    await setup.playCli(cliAnswer('fine'));
    const directory = join(setup.project, 'd'.repeat(200), 'e'.repeat(200));
    await mkdir(directory, { recursive: true });
    const names = Array.from({ length: 1_000 }, (_, index) => `${'\u001b'.repeat(50)}${index}.txt`);
    await Promise.all(names.map((name) => writeFile(join(directory, name), name)));
    const files = Array.from({ length: 999 }, (_, index) => `${'\u202e/'.repeat(140)}${index}`);
    for (const tool of ['gemini_query', 'gemini_context']) {
      const answer = await server.call(tool, { prompt: 'Hi', directories: ['.'], files });
      expect(answer).toMatchObject({ isError: false });
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(maxBytes);
    }
  });
});
