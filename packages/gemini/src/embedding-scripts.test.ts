import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processesWith, takesAllWays, timeUntilGone } from '@gemini-mcp/fake-gemini';
import {
  describeStoredRequests,
  grounded,
  hang,
  type RecordedRequest,
  text,
  toolCall,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddingPlace } from './testing/embedding-place.ts';

let place: EmbeddingPlace;

beforeEach(async () => {
  place = await EmbeddingPlace.create();
  await place.write({ 'src/add.ts': 'export const add = (one: number, other: number): number => one + other;\n' });
});

afterEach(() => place.dispose());

/** The first example of docs/embedding.md goes to the API, because the place has a key: `backend` is not set there. */
const fiveLines = (way: 'auto' | 'warm' | 'headless'): string => `
import { createGemini } from '@gemini-mcp/gemini';
await using gemini = createGemini(${way === 'auto' ? '' : `{ backend: '${way}' }`});
const result = await gemini.ask('What does this do?', { files: ['src/**/*.ts'] });
console.log(result.ok ? result.text : result.failure.text);
`;

const answered = { exitCode: 0, stdout: 'It adds.\n', stderr: '' };

describe.each(takesAllWays ? (['auto', 'warm'] as const) : (['auto'] as const))(
  'a script that embeds Gemini, with a key and the way %s',
  (way) => {
    const script = fiveLines(way);
    const withOptions = (options: string): string =>
      script.replace(/createGemini\(.*\)/, `createGemini({ ${options}, backend: '${way}' })`);

    beforeEach(() => {
      if (way === 'auto') {
        // It would be a failure to ask for it.
        place.useCli('/nonexistent/gemini');
      }
    });

    it('asks about files in five lines, ends with its answer, and leaves nothing', async () => {
      place.api.reply(text('It adds.'));
      expect(await place.run(script)).toMatchObject(answered);
      expect(await place.leftovers()).toEqual([]);
      expect(place.api.requests[0]?.userText.join('')).toContain('export const add');
    });

    it('ends with its answer without closing anything, and leaves nothing', async () => {
      place.api.reply(text('It adds.'));
      expect(await place.run(script.replace('await using', 'const'))).toMatchObject(answered);
      expect(await place.leftovers()).toEqual([]);
    });

    it('streams, goes on with a conversation in another Gemini, searches, and sees what would be sent', async () => {
      place.api.reply(({ hasGoogleSearch, contents, functionNames }: RecordedRequest) => {
        if (hasGoogleSearch) {
          return grounded('It rains.', [{ title: 'Weather', url: 'https://weather.example/' }]);
        }
        const mustSearch = functionNames.includes('google_web_search') && contents.at(-1)?.role === 'user';
        const hasSearched = JSON.stringify(contents.at(-1)).includes('functionResponse');
        return mustSearch && !hasSearched
          ? toolCall('google_web_search', { query: 'weather' })
          : text(['It ', 'rains.']);
      });
      const end = await place.run(`
import { createGemini } from '@gemini-mcp/gemini';
await using gemini = createGemini({ backend: '${way}' });
let streamed = '';
for await (const piece of gemini.stream('One.')) {
  streamed += piece.type === 'text' ? piece.text : '';
}
const first = await gemini.chat({ systemPrompt: 'Be brief.' }).reply('Two.');
await using other = createGemini({ backend: '${way}' });
const second = await other.chat({ id: first.chatId ?? '' }).reply('Three.');
const found = await gemini.search('weather');
const seen = await gemini.context('Four?', { files: ['src/*.ts'] });
console.log(streamed, first.ok, second.ok, first.chatId === second.chatId);
console.log(found.ok ? found.text.slice(0, 9) : found.failure.text);
console.log(seen.ok ? seen.entries.map(({ path }) => path).join(' ') : seen.failure.text);
`);
      const stdout = 'It rains. true true true\nIt rains.\nsrc/add.ts\n';
      expect(end).toEqual({ exitCode: 0, stdout, stderr: '' });
      const question = place.api.requests.find(({ userText }) => userText.join('').includes('Three.'));
      expect(JSON.stringify(question?.contents)).toContain('Two.');
      expect(question?.systemText).toContain('Be brief.');
      expect(await place.leftovers()).toEqual([]);
    });

    it('gives the key of its options to the API alone', async () => {
      place.api.reply(text('It adds.'));
      const key = 'key-of-the-options';
      const end = await place.run(withOptions(`apiKey: '${key}'`));
      expect(end).toMatchObject(answered);
      expect(place.api.requests.map(({ apiKey }) => apiKey)).toEqual([key]);
      expect(await place.filesHolding(key)).toEqual([]);
    });

    it('lets a project log its calls if the options say so', async () => {
      place.storesRequests = true;
      place.api.reply(text('It adds.'));
      const end = await place.run(withOptions('allowsGoogleLogs: true'));
      expect(end).toMatchObject(answered);
      expect(describeStoredRequests(place.api)).toHaveLength(1);
    });

    it('has two at once, and the second continues when the first is closed', async () => {
      place.api.reply(text('It adds.'));
      const end = await place.run(`
import { createGemini } from '@gemini-mcp/gemini';
const [one, other] = [createGemini({ backend: '${way}' }), createGemini({ backend: '${way}', owner: 'other' })];
await Promise.all([one.ask('What?'), other.ask('What?')]);
await one.close();
const result = await other.ask('What does this do?');
console.log(result.ok ? result.text : result.failure.text);
`);
      expect(end).toMatchObject(answered);
      expect(await place.leftovers()).toEqual([]);
    });

    it('may abandon calls and streams: no rejection goes unhandled', async () => {
      place.api.reply(hang());
      const end = await place.run(`
import { createGemini } from '@gemini-mcp/gemini';
const gemini = createGemini({ backend: '${way}' });
const abandoned = gemini.ask('What?');
gemini.stream('What?');
for await (const piece of gemini.stream('What?')) {
  break;
}
const leaving = new AbortController();
const left = gemini.ask('What?', { signal: leaving.signal });
leaving.abort();
await gemini.close();
const results = await Promise.all([abandoned, left, gemini.ask('What?').catch((error) => error)]);
console.log(results.map((result) => result.failure?.kind ?? result.message).join(', '));
`);
      const stdout = 'cancelled, cancelled, This Gemini was closed. Call createGemini() for another one.\n';
      expect(end).toMatchObject({ exitCode: 0, stdout, stderr: '' });
      expect(await place.leftovers()).toEqual([]);
    });

    it("leaves no file when it asks, except its conversations and Node's compiled code", async () => {
      place.api.reply(text('It adds.'));
      expect(await place.run(script)).toMatchObject(answered);
      expect(await place.filesOf('project')).toEqual(['src/add.ts']);
      expect((await place.filesOf('.local')).filter((path) => !path.includes('/compiled/'))).toEqual([]);
    });
  },
);

describe('a script that embeds Gemini over the warm CLI', () => {
  const script = fiveLines('warm');

  it('takes its warm process with it if it is killed, and the next one removes what it left', async () => {
    place.api.reply(text('It adds.'));
    const killed = script.replace('await using', 'const');
    const end = await place.run(`${killed}\nprocess.kill(process.pid, 'SIGKILL');`);
    expect(end).toMatchObject({ exitCode: null, stdout: answered.stdout });
    await expect.poll(() => place.cliProcesses()).toEqual([]);
    expect(await place.run(script)).toMatchObject(answered);
    expect(await place.leftovers()).toEqual([]);
  });

  it('takes its warm process with it if it calls process.exit', async () => {
    place.api.reply(text('It adds.'));
    const end = await place.run(`${script.replace('await using', 'const')}\nprocess.exit(3);`);
    expect(end).toMatchObject({ exitCode: 3, stdout: answered.stdout });
    await expect.poll(() => place.cliProcesses()).toEqual([]);
  });
});

const notesServer = fileURLToPath(new URL('testing/notes-server.mjs', import.meta.url));

/** A script that lends a server, which takes its time. */
const toolSessionScript = (notes: string, end: string): string => `
import { createGemini } from '@gemini-mcp/gemini';
const gemini = createGemini({
  mcpServers: { notes: { command: process.execPath, args: ['${notesServer}', '${notes}'], env: { DELAY_MS: '1500' } } },
});
const approver = { ask: async () => ({ type: 'answered', answer: 'once' }) };
const result = await gemini.ask('Note that.', { servers: ['notes'], approver });
console.log(result.ok ? result.text : result.failure.text);
${end}
`;

it.each(['', 'await gemini.close();'])(
  'a script that lends a server and ends with "%s" leaves nothing',
  async (end) => {
    const notes = join(place.root, 'notes');
    const replies = [toolCall('notes__add', { text: 'milk' }), text('Noted.')];
    place.api.reply((_, index) => replies[index] ?? text('No more.'));
    expect(await place.run(toolSessionScript(notes, end))).toEqual({ exitCode: 0, stdout: 'Noted.\n', stderr: '' });
    expect(processesWith(notes)).toEqual([]);
    expect(await place.leftovers()).toEqual([]);
    expect(JSON.stringify(place.api.requests[1]?.contents.at(-1))).toContain('Noted: milk');
  },
);

it.runIf(process.platform === 'linux')('a script that is killed takes the server that it lends with it', async () => {
  place.api.reply(text('Noted.'));
  const notes = join(place.root, 'notes');
  const killed = toolSessionScript(notes, "process.kill(process.pid, 'SIGKILL');");
  expect(await place.run(killed)).toMatchObject({ exitCode: null, stdout: 'Noted.\n' });
  expect(await timeUntilGone(notes)).toBeLessThanOrEqual(2_000);
});

it('a script ends with its answer if the CLI is one process a call, and leaves nothing', async () => {
  place.api.reply(text('It adds.'));
  expect(await place.run(fiveLines('headless'))).toMatchObject(answered);
  expect(await place.leftovers()).toEqual([]);
});
