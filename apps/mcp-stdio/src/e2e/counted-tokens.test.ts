import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OfflineGeminiApi, startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;
let api: OfflineGeminiApi;
let server: ServerProcess;

beforeEach(async () => {
  setup = await ServerSetup.create();
  api = await startOfflineGeminiApi({ reply: text('Because.'), hasImplicitCache: true });
  for (const name of ['one', 'two', 'three']) {
    await writeFile(join(setup.project, `${name}.txt`), `${name} line\n`.repeat(2_000));
  }
  server = await setup.startWithoutCli(api.environment());
});

afterEach(async () => {
  await setup.dispose();
  await api.close();
});

describe('the built server, over the API', () => {
  it('begins the second question over the same files as the first, so that Google has them in its cache', async () => {
    const files = ['one.txt', 'two.txt'];
    const first = await server.query({ prompt: 'Why?', files });
    const second = await server.query({ prompt: 'How?', files });
    const other = await server.query({ prompt: 'How?', files: [...files, 'three.txt'] });
    const tokensOf = (answer: { readonly text: string }): string | undefined => /^Tokens: .*$/m.exec(answer.text)?.[0];
    expect(tokensOf(first)).toMatch(/^Tokens: [\d,]+ input \/ 2 output$/);
    expect(tokensOf(second)).toMatch(/^Tokens: [\d,]+ input \([\d,]+ cached\) \/ 2 output$/);
    expect(tokensOf(other)).toMatch(/^Tokens: [\d,]+ input \/ 2 output$/);
    const [input = 0, cached = 0] = (tokensOf(second) ?? '').replaceAll(',', '').match(/\d+/g)?.map(Number) ?? [];
    expect(input - cached, 'tokens of different parts').toBeLessThan(20);
  });

  it('shows in gemini_context the tokens that a call then takes in, by one count, if that is asked', async () => {
    const args = { prompt: 'Why?', files: ['one.txt', 'two.txt'] };
    const preview = await server.call('gemini_context', { ...args, count: true });
    expect(preview.text).toMatch(/^No model was asked; Google was sent this to count its tokens\./);
    const [, counted] = /^Tokens: ([\d,]+) \(counted\), /m.exec(preview.text) ?? [];
    const { text: answer } = await server.query(args);
    expect(answer).toContain(`Tokens: ${counted} input / 2 output`);
    expect(api.requests.map(({ method }) => method)).toEqual(['countTokens', 'streamGenerateContent']);
  });
});
