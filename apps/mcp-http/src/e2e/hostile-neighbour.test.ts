import { setMaxListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, cliOpening, whenInvoked } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HttpSetup } from './http-setup.ts';
import type { McpHttpClient } from './mcp-http-client.ts';
import { clientOf } from './principals.ts';

/** The scripted CLI answers for this model, and hangs for the other. */
const answering = 'gemini-3-flash-preview';
const hanging = 'gemini-3.1-pro-preview';

let setup: HttpSetup;
let bob: McpHttpClient;
let mallory: McpHttpClient;

beforeEach(async () => {
  setup = await HttpSetup.create();
  const [, ...answers] = cliAnswer('x'.repeat(50_000));
  await setup.playCli([
    {
      do: 'by-model',
      models: { [answering]: [{ do: 'read-stdin' }, ...answers] },
      otherwise: [...cliOpening(), { do: 'hang' }],
    },
  ]);
  await writeFile(join(setup.project, 'newlines.txt'), Buffer.alloc(60_000_000, '\n'));
  const server = await setup.startFor([{ name: 'bob' }, { name: 'mallory' }], { GEMINI_MCP_HTTP_RATE_LIMIT: '0' });
  bob = clientOf('bob', server);
  mallory = clientOf('mallory', server);
  await bob.initialize();
  await mallory.initialize();
});

afterEach(async () => {
  bob.close();
  mallory.close();
  await setup.dispose();
});

/** Every attack of one principal on the others, all at once, until the signal is aborted. */
class Attack {
  readonly #signal: AbortSignal;
  /** Starts calls that hang, and resolves at the first refusal. By then the principal has all its slots. */
  readonly refused: Promise<void>;
  /** Hanging calls that ended before the attack did. */
  readonly answered: string[] = [];
  readonly ended: Promise<unknown>;
  #noteRefusal = (): void => undefined;

  constructor(signal: AbortSignal) {
    setMaxListeners(0, signal);
    this.#signal = signal;
    this.refused = new Promise((resolve) => {
      this.#noteRefusal = resolve;
    });
    const longPrompt = 'p'.repeat(900_000);
    const slowName = `small.txt:${'1'.repeat(4_000)}x`;
    const names = Array.from({ length: 70 }, (_, index) => `${slowName}${index}`);
    this.ended = Promise.all([
      // More long calls than slots.
      ...Array.from({ length: 40 }, () => this.#hold()),
      // Endless conversations, each with its own system prompt.
      ...this.#repeat(10, 'chat', { prompt: longPrompt, model: answering, systemPrompt: longPrompt }),
      ...this.#repeat(6, 'gemini_context', { prompt: 'x', files: ['newlines.txt:1', 'newlines.txt:60000001'] }),
      ...this.#repeat(2, 'gemini_context', { prompt: 'x', files: names }),
      ...this.#repeat(2, 'gemini_query', { prompt: 'x', files: ['newlines.txt:59999999'], model: hanging }),
    ]);
  }

  async #hold(): Promise<void> {
    const args = { prompt: 'hold a place', model: hanging, timeout: 3_600 };
    const { isError, text } = await this.#call('gemini_query', args);
    if (this.#signal.aborted) {
      return;
    }
    if (isError && text.includes('too many calls')) {
      this.#noteRefusal();
    } else {
      this.answered.push(text);
    }
  }

  /** Workers that call repeatedly until they are refused. Then every slot for such calls is taken. */
  #repeat(workers: number, name: string, args: Readonly<Record<string, unknown>>): readonly Promise<void>[] {
    const work = async (): Promise<void> => {
      while (!(this.#signal.aborted || (await this.#call(name, args)).isError)) {
        // The next call begins.
      }
    };
    return Array.from({ length: workers }, work);
  }

  #call(name: string, args: Readonly<Record<string, unknown>>): Promise<{ isError: boolean; text: string }> {
    return mallory.call(name, args, { signal: this.#signal }).then(
      ({ isError = false, text }) => ({ isError, text }),
      (error: unknown) => ({ isError: true, text: String(error) }),
    );
  }
}

it('SHARE-07: the calls of one principal are answered while another holds all the slots it can get, and floods the server', async () => {
  const ending = new AbortController();
  const attack = new Attack(ending.signal);
  await attack.refused;
  // Two thirds of the four places.
  await whenInvoked(setup.cliDirectory, 2);

  for (const prompt of ['first', 'second', 'third', 'fourth']) {
    expect(await bob.call('geminiChat', { prompt, model: answering })).toMatchObject({ isError: false });
  }

  // So no call of bob has waited for the end of one of these.
  expect(attack.answered).toEqual([]);
  ending.abort();
  await attack.ended;
});
