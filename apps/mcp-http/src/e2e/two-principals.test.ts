import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RecordedRequest, type Reply, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpSetup } from './http-setup.ts';
import { type Belongings, type Exchange, PrincipalUnderTest } from './principal-under-test.ts';

/** At a time, for each principal, each with an id that the other one also uses. */
const workers = 20;

/** Takes a second on an idle machine, in each mode; `GEMINI_MCP_CALL_ROUNDS=500` is a longer proof. */
const callsOfWorker = Number(process.env['GEMINI_MCP_CALL_ROUNDS'] ?? 10);

/** For each principal, in parallel with the others, through the real CLI. */
const queries = 8;
const queriesAtOnce = 4;

/** In the directory of each principal. */
const files = 5;

type Call = { readonly method: string; readonly params: Record<string, unknown> };

const toolCall = (name: string, args: Record<string, unknown>): Call => ({
  method: 'tools/call',
  params: { name, arguments: args },
});

/** The request of one of the two, and the text that its answer must contain. */
type Turn = { readonly call: Call; readonly expected: string };

type Party = {
  readonly self: PrincipalUnderTest;
  readonly own: Belongings;
  readonly foreign: Belongings;
  readonly foreignWords: readonly string[];
};

/** The principal's own records, and the other's, which must look unknown. */
const turns: readonly ((party: Party, canary: string, file: number) => Turn)[] = [
  ({ self }, canary, file) => {
    const named = [self.fileName(file), `absent-${canary}.txt`];
    return { call: toolCall('gemini_context', { files: named, prompt: canary }), expected: `absent-${canary}.txt` };
  },
  ({ own, self }) => ({ call: toolCall('gemini_read', { handle: own.answer, lines: '1' }), expected: self.secret }),
  ({ foreign }) => ({ call: toolCall('gemini_read', { handle: foreign.answer }), expected: 'Unknown answer' }),
  ({ own, self }) => ({
    call: toolCall('gemini_job', { handle: own.job, action: 'wait' }),
    expected: self.secret,
  }),
  ({ foreign }) => ({ call: toolCall('gemini_job', { handle: foreign.job }), expected: 'Unknown job' }),
  ({ own, self }) => ({
    call: { method: 'resources/read', params: { uri: own.conversation } },
    expected: self.secret,
  }),
  ({ foreign }) => ({ call: { method: 'resources/read', params: { uri: foreign.conversation } }, expected: '-32002' }),
  ({ self }, canary, file) => ({
    call: toolCall('gemini_context', { glob_patterns: [`*-${file}.txt`], prompt: canary }),
    expected: self.fileName(file),
  }),
];

/** The request, and the other's words that its answer may contain only if it named them. */
type Asked = Turn & { readonly foreign: readonly string[] };

class Tally {
  calls = 0;
  notifications = 0;
  readonly crossed: Exchange[] = [];

  note(exchange: Exchange, { call, expected, foreign }: Asked): void {
    const { heard, progress } = exchange;
    const asked = JSON.stringify(call);
    this.calls += 1;
    this.notifications += progress.length;
    if (!heard.includes(expected) || foreign.some((word) => heard.includes(word) && !asked.includes(word))) {
      this.crossed.push(exchange);
    }
  }
}

/** Releases the rest of a canary's answer once its first words have arrived at the right client. */
class Gates {
  readonly #open = new Map<string, () => void>();

  passed(canary: string): Promise<void> {
    return new Promise((resolve) => this.#open.set(canary, resolve));
  }

  open(canary: string): void {
    this.#open.get(canary)?.();
    this.#open.delete(canary);
  }
}

describe.each([
  { mode: 'without sessions', flags: [], runner: 'api' },
  { mode: 'with sessions', flags: ['--stateful'], runner: 'warm' },
] as const)('HTTP-08: two principals in parallel, $mode, by $runner', ({ flags, runner }) => {
  let setup: HttpSetup;
  let alice: PrincipalUnderTest;
  let bob: PrincipalUnderTest;
  const gates = new Gates();

  beforeEach(async () => {
    setup = await HttpSetup.create(runner);
    alice = await PrincipalUnderTest.create(setup, 'alice', files);
    bob = await PrincipalUnderTest.create(setup, 'bob', files);
    const file = join(setup.root, 'principals.json');
    await writeFile(file, JSON.stringify({ principals: [alice.entry, bob.entry] }), { mode: 0o600 });
    const { origin } = await setup.start(
      {
        GEMINI_MCP_PRINCIPALS_FILE: file,
        GEMINI_MCP_HTTP_RATE_LIMIT: '0',
        GEMINI_MCP_LOG_LEVEL: 'warn',
        GEMINI_MCP_MAX_RUNNING: String(2 * queriesAtOnce),
      },
      flags,
    );
    setup.api.reply((request) => echo(request, gates));
    await Promise.all([alice.connect(origin), bob.connect(origin)]);
  });

  afterEach(async () => {
    alice.disconnect();
    bob.disconnect();
    await setup.dispose();
  });

  it(
    `${2 * workers * callsOfWorker} calls and ${2 * queries} of Gemini: none crossed`,
    async () => {
      const [ofAlice, ofBob] = await Promise.all([alice.acquire(), bob.acquire()]);
      const tally = new Tally();
      const told = new Tally();
      const parties: readonly Party[] = [
        { self: alice, own: ofAlice, foreign: ofBob, foreignWords: [bob.secret, ...Object.values(ofBob)] },
        { self: bob, own: ofBob, foreign: ofAlice, foreignWords: [alice.secret, ...Object.values(ofAlice)] },
      ];
      await Promise.all(
        parties.flatMap((party) => [
          ...Array.from({ length: workers }, (_, worker) => work(party, worker, tally)),
          ...Array.from({ length: queriesAtOnce }, (_, worker) => ask(party, worker, { tally: told, gates })),
        ]),
      );
      expect([...tally.crossed, ...told.crossed].slice(0, 3)).toEqual([]);
      expect([tally.calls, told.calls]).toEqual([2 * workers * callsOfWorker, 2 * queries]);
      // Each query reported its first words before the others came.
      expect(told.notifications).toBeGreaterThanOrEqual(2 * queries);
    },
    120_000 + callsOfWorker * 1_000,
  );
});

async function work(party: Party, worker: number, tally: Tally): Promise<void> {
  for (let round = 0; round < callsOfWorker; round += 1) {
    const canary = `${party.self.secret}-canary-${worker}-${round}`;
    const turn = turns[(worker + round) % turns.length];
    if (turn !== undefined) {
      const { call, expected } = turn(party, canary, worker % files);
      const exchange = await party.self.exchange({ id: worker, ...call });
      tally.note(exchange, { call, expected, foreign: party.foreignWords });
    }
  }
}

/** Real queries, one after the other, with ids that no worker uses. */
async function ask(
  party: Party,
  worker: number,
  { tally, gates }: { readonly tally: Tally; readonly gates: Gates },
): Promise<void> {
  for (let index = worker; index < queries; index += queriesAtOnce) {
    const canary = `${party.self.secret}-canary-q${index}`;
    const call = toolCall('gemini_query', { prompt: `Repeat slowly ${canary}.` });
    const exchange = await party.self.exchange({ id: workers + index, ...call }, ({ params }) => {
      if (String(params?.['message']).includes(`heard ${canary}`)) {
        gates.open(canary);
      }
    });
    tally.note(exchange, { call, expected: `heard ${canary} and no other`, foreign: party.foreignWords });
  }
}

/** Repeats the requested text in two halves: the second when the first has arrived. */
function echo({ userText }: RecordedRequest, gates: Gates): Reply {
  const [, how = '', words = ''] = /Repeat (slowly |long |)(\S+)\.$/m.exec(userText.join('\n')) ?? [];
  switch (how) {
    case 'slowly ':
      return text([`heard ${words}`, { text: ' and no other', after: gates.passed(words) }]);
    case 'long ':
      return text(`${words}\n`.repeat(2_900));
    default:
      return text(words);
  }
}
