import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddingPlace } from './testing/embedding-place.ts';

let place: EmbeddingPlace;

beforeEach(async () => {
  place = await EmbeddingPlace.create();
  await place.write({ 'src/add.ts': 'export const add = (one: number, other: number): number => one + other;\n' });
});

afterEach(() => place.dispose());

const fiveLines = `
import { createGemini } from '@gemini-mcp/adapters-node';
await using gemini = createGemini();
const result = await gemini.ask('What does this do?', { files: ['src/**/*.ts'] });
console.log(result.ok ? result.text : result.failure.text);
`;

const answered = { exitCode: 0, stdout: 'It adds.\n', stderr: '' };

describe('a script that embeds Gemini', () => {
  it('asks about files in five lines, ends with its answer, and leaves nothing', async () => {
    place.api.reply(text('It adds.'));
    expect(await place.run(fiveLines)).toMatchObject(answered);
    expect(await place.leftovers()).toEqual([]);
    expect(place.api.requests[0]?.userText.join('')).toContain('export const add');
  });

  it('ends with its answer where it closes nothing, and leaves nothing', async () => {
    place.api.reply(text('It adds.'));
    expect(await place.run(fiveLines.replace('await using', 'const'))).toMatchObject(answered);
    expect(await place.leftovers()).toEqual([]);
  });

  it('that is killed takes its warm process with it, and the next one removes what it left', async () => {
    place.api.reply(text('It adds.'));
    const killed = fiveLines.replace('await using', 'const');
    const end = await place.run(`${killed}\nprocess.kill(process.pid, 'SIGKILL');`);
    expect(end).toMatchObject({ exitCode: null, stdout: answered.stdout });
    await expect.poll(() => place.cliProcesses(), { timeout: 10_000 }).toEqual([]);
    expect(await place.run(fiveLines)).toMatchObject(answered);
    expect(await place.leftovers()).toEqual([]);
  });

  it('that calls process.exit takes its warm process with it', async () => {
    place.api.reply(text('It adds.'));
    const end = await place.run(`${fiveLines.replace('await using', 'const')}\nprocess.exit(3);`);
    expect(end).toMatchObject({ exitCode: 3, stdout: answered.stdout });
    await expect.poll(() => place.cliProcesses(), { timeout: 10_000 }).toEqual([]);
  });

  it('gives the key of its options to the API and to nobody else', async () => {
    place.api.reply(text('It adds.'));
    const key = 'key-of-the-options';
    const end = await place.run(fiveLines.replace('createGemini()', `createGemini({ apiKey: '${key}' })`));
    expect(end).toMatchObject(answered);
    expect(place.api.requests.map(({ apiKey }) => apiKey)).toEqual([key]);
    expect(await place.filesHolding(key)).toEqual([]);
  });
});
