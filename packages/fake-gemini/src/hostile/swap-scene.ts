import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OfflineGeminiApi, RecordedRequest, Reply } from '@gemini-mcp/port-contracts/offline-api';
import { text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { offeredName } from '../servers/offered-name.ts';
import { PlaceSwapper } from './place-swapper.ts';

/** `GEMINI_MCP_SWAP_SECONDS=60` is the full proof. */
const swapSeconds: number = Number(process.env['GEMINI_MCP_SWAP_SECONDS'] ?? 3);

/** A client of a server under test. */
export type SwapCaller = {
  call(name: string, args: Record<string, unknown>): Promise<{ readonly text: string; readonly isError: boolean }>;
  request(method: string, params: Record<string, unknown>): Promise<unknown>;
};

/** The number of attempts of each kind, and of successful ones. */
export type SwapCounts = {
  readonly tries: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<string, number>>;
  readonly exchanges: number;
  /** Texts from outside the root, by the kind of call that returned them. */
  readonly leaks: readonly string[];
};

/** Occurs in names and contents of files, and nowhere else. */
const [inside, outside] = ['innerfox', 'foreignfox'];

/** A directory in a root, and a link to the directory around the root, which swap places during the calls. */
export class SwapScene {
  readonly #api: OfflineGeminiApi;
  readonly #root: string;

  private constructor(api: OfflineGeminiApi, root: string) {
    this.#api = api;
    this.#root = root;
  }

  /** `root` is the caller's only root, and relative names start there. Files around it must not be read. */
  static async create(api: OfflineGeminiApi, root: string): Promise<SwapScene> {
    await mkdir(join(root, 'd'));
    await writeFile(join(root, 'd', `${inside}.txt`), inside);
    await writeFile(join(root, 'd', 'f.txt'), inside);
    await symlink('..', join(root, 'link'));
    await writeFile(join(dirname(root), `${outside}.txt`), outside);
    await writeFile(join(dirname(root), 'f.txt'), outside);
    api.reply(searchFirst);
    return new SwapScene(api, root);
  }

  /** Makes all kinds of calls at once, until the time is over and each was answered once. */
  async race(caller: SwapCaller): Promise<SwapCounts> {
    const swapper = await PlaceSwapper.start([join(this.#root, 'd'), join(this.#root, 'link')]);
    const endsAt = performance.now() + swapSeconds * 1_000;
    const tries: Record<string, number> = {};
    const answers: Record<string, number> = {};
    const leaks: string[] = [];
    const repeat = async ([way, ask]: Way): Promise<void> => {
      while (performance.now() < endsAt || (answers[way] ?? 0) === 0) {
        const said = await ask(caller);
        tries[way] = (tries[way] ?? 0) + 1;
        const isAnswered = said.includes(inside);
        answers[way] = (answers[way] ?? 0) + Number(isAnswered);
        leaks.push(...(said.includes(outside) ? [way] : []));
      }
    };
    const ends = await Promise.allSettled(ways.map(repeat));
    const exchanges = await swapper.stop();
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
    const sent = this.#api.requests.map(({ body }) => JSON.stringify(body));
    return { tries, answers, exchanges, leaks: [...leaks, ...sent.filter((body) => body.includes(outside))] };
  }
}

/** A model that searches the visible files, and then repeats the matches. */
function searchFirst(request: RecordedRequest): Reply {
  const last = JSON.stringify(request.contents.at(-1) ?? {});
  const search = offeredName(request, 'search_files');
  const mayRead = request.functionNames.includes(search);
  return mayRead && !last.includes('functionResponse') ? toolCall(search, { pattern: 'fox' }) : text(last);
}

type Way = readonly [name: string, ask: (caller: SwapCaller) => Promise<string>];

/** The texts that a caller received, without repetitions of the caller's own names. */
const ways: readonly Way[] = [
  ['chat', async (caller) => (await caller.call('chat', { prompt: 'Look around', cwd: 'd' })).text],
  ['geminiChat', async (caller) => (await caller.call('geminiChat', { prompt: 'Look', workingDirectory: 'd' })).text],
  ['gemini_query', async (caller) => (await caller.call('gemini_query', { prompt: 'x', files: ['d/f.txt'] })).text],
  [
    'gemini_context',
    async (caller) => {
      const args = { prompt: 'x', directories: ['d'], glob_patterns: ['d/*', '*/f*'] };
      return (await caller.call('gemini_context', args)).text;
    },
  ],
  [
    'completion',
    async (caller) => {
      const ref = { type: 'ref/prompt', name: 'find-bugs' };
      return JSON.stringify(
        await caller.request('completion/complete', { ref, argument: { name: 'path', value: 'd/' } }),
      );
    },
  ],
];
