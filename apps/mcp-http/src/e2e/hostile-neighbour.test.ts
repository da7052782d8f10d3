import { setMaxListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, cliOpening } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HttpSetup } from './http-setup.ts';
import type { McpHttpClient } from './mcp-http-client.ts';
import { clientOf, writePrincipals } from './principals.ts';

/** The scripted CLI answers for this model after a second, which is less than Gemini takes, and hangs for the other. */
const answering = 'gemini-3-flash-preview';
const hanging = 'gemini-3.1-pro-preview';
const answerMs = 1_000;

/** Calls are measured in turns with and without the attack, so that whatever else the machine does slows down both. */
const rounds = 3;
const callsOfRound = 4;

let setup: HttpSetup;
let bob: McpHttpClient;
let mallory: McpHttpClient;

beforeEach(async () => {
  setup = await HttpSetup.create();
  const [, ...answers] = cliAnswer('x'.repeat(50_000));
  await setup.playCli([
    {
      do: 'by-model',
      models: { [answering]: [{ do: 'read-stdin' }, { do: 'wait', durationMs: answerMs }, ...answers] },
      otherwise: [...cliOpening(), { do: 'hang' }],
    },
  ]);
  await writeFile(join(setup.project, 'newlines.txt'), Buffer.alloc(60_000_000, '\n'));
  const principals = join(setup.root, 'principals.json');
  await writePrincipals(principals, [{ name: 'bob' }, { name: 'mallory' }]);
  const server = await setup.start({ GEMINI_MCP_PRINCIPALS_FILE: principals, GEMINI_MCP_HTTP_RATE_LIMIT: '0' });
  bob = clientOf('bob', server);
  mallory = clientOf('mallory', server);
});

afterEach(async () => {
  bob.close();
  mallory.close();
  await setup.dispose();
});

/** How long calls of bob take, one after the other; each has its answer. */
async function measure(name: string, args: Readonly<Record<string, unknown>>): Promise<readonly number[]> {
  const durations: number[] = [];
  for (let call = 0; call < callsOfRound; call += 1) {
    const startedAt = performance.now();
    expect(await bob.call(name, args)).toMatchObject({ isError: false });
    durations.push(performance.now() - startedAt);
  }
  return durations;
}

function median(durations: readonly number[]): number {
  return durations.toSorted((one, other) => one - other)[Math.floor(durations.length / 2)] ?? Number.NaN;
}

/** Everything that one principal can do to the others, all at once, until the signal is aborted. */
function attack(signal: AbortSignal): Promise<unknown> {
  const longPrompt = 'p'.repeat(900_000);
  const slowName = `small.txt:${'1'.repeat(4_000)}x`;
  const calls: readonly (readonly [number, string, Readonly<Record<string, unknown>>])[] = [
    // More long calls than there are places, of any kind.
    [30, 'gemini_query', { prompt: 'hold a place', model: hanging, timeout: 5 }],
    // Conversations without end, each with a system prompt of its own.
    [10, 'chat', { prompt: longPrompt, model: answering, systemPrompt: longPrompt }],
    [6, 'gemini_context', { prompt: 'x', files: ['newlines.txt:1', 'newlines.txt:60000001'] }],
    [2, 'gemini_context', { prompt: 'x', files: Array.from({ length: 70 }, (_, index) => `${slowName}${index}`) }],
    [2, 'gemini_query', { prompt: 'x', files: ['newlines.txt:59999999'], model: hanging, timeout: 60 }],
  ];
  const goOn = async (count: number, request: () => Promise<{ readonly isError?: boolean }>): Promise<unknown> => {
    // What is refused because all is taken has done what it was for.
    const worker = async (): Promise<void> => {
      let isRefused = false;
      while (!(signal.aborted || isRefused)) {
        isRefused = await request().then(
          ({ isError = false }) => isError,
          () => true,
        );
      }
    };
    return Promise.all(Array.from({ length: count }, worker));
  };
  return Promise.all(calls.map(([count, name, args]) => goOn(count, () => mallory.call(name, args, { signal }))));
}

it('SHARE-07: the calls of one principal take at most twice as long while another does all that it can', async () => {
  const asking = { prompt: 'x', model: answering };
  await bob.initialize();
  await mallory.initialize();
  await measure('geminiChat', asking);
  const alone: number[] = [];
  const attacked: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(...(await measure('geminiChat', asking)));
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    const attacking = attack(ending.signal);
    attacked.push(...(await measure('geminiChat', asking)));
    ending.abort();
    await attacking;
  }
  expect(median(attacked) / median(alone)).toBeLessThanOrEqual(2);
  // A single call may pay for the burst in which an attack begins, and for what else the machine does at that moment.
  expect(Math.max(...attacked) / Math.max(...alone)).toBeLessThanOrEqual(4);
});
