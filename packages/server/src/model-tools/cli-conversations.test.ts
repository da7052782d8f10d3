import { type ConversationTurn, plainRunSettings, type RunEvent, type RunRequest } from '@gemini-mcp/core';
import { ScriptedToolProvider } from '@gemini-mcp/core/testing';
import {
  apiError,
  hang,
  inOrder,
  type RecordedRequest,
  recordsIn,
  text,
  toolCalls,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CliToolsPlace, modelTool, openCliToolsPlace } from './testing/cli-tools-place.ts';
import { ReachingSource, type ReachingSourceOptions } from './testing/reaching-source.ts';

/** The message, its tools and their results. */
type Message = Partial<RunRequest> & ReachingSourceOptions;

const look = toolCalls([{ name: 'mcp_lend_look', args: { n: 1 } }]);

const header = 'This request comes through gemini-mcp-server. The next text is the request, word for word.\n';

const history: readonly ConversationTurn[] = [
  { role: 'user', text: 'one' },
  { role: 'model', text: 'ONE' },
];

let place: CliToolsPlace;

async function say(input: string, message: Message = {}, signal?: AbortSignal) {
  const { told: _, tools: __, reach: ___, inCall: ____, ...fields } = message;
  const source = new ReachingSource(message);
  const request = { input, owner: 'a', mayContinue: true, toolProviders: [source], ...fields };
  const before = place.api.requests.length;
  const events = await place.run(request, signal);
  const requests = place.api.requests.slice(before);
  return { requests, calls: source.calls.length, steps: events.map(stepOf).join('') };
}

/** The first message, in which the tool tells CANARY. */
async function sayFirst(message: Message = {}): Promise<void> {
  place.api.reply(inOrder(look, text('ONE')));
  expect(await say('one', { told: 'CANARY', ...message })).toMatchObject({
    steps: 'look started look succeeded answer ',
  });
}

/** The requests of the second message. */
async function sayNext(message: Message = {}): Promise<readonly RecordedRequest[]> {
  place.api.reply(inOrder(look, text('TWO')));
  const { steps, calls, requests } = await say('two', { history, told: 'Other.', ...message });
  expect([steps, calls, requests.length]).toEqual(['look started look succeeded answer ', 1, 2]);
  return requests;
}

const firstLook = ['call look', 'result CANARY'];
const [asked, asNext] = [
  ['one', 'ONE'],
  ['two', 'call look', 'result Other.'],
];

/** What Gemini gets with the last request of the second message, where the session was made for it. */
const again = [...asked, ...asNext];

/** The same in a session that was kept. */
const kept = ['one', ...firstLook, 'ONE', ...asNext];

/** Each part that Gemini gets, without what the CLI and we add to each message. */
function told(request: RecordedRequest | undefined): readonly string[] {
  const parts = (request?.contents ?? []).flatMap((turn) => recordsIn(turn.parts));
  return parts.map(partOf).filter((part) => part !== header && !part.startsWith('<session_context>'));
}

function partOf(part: Readonly<Record<string, unknown>>): string {
  const { text: words } = part;
  if (typeof words === 'string') {
    return words;
  }
  const data = JSON.stringify(part);
  const result = /<untrusted_context>\\n(.*?)\\n<\/untrusted_context>/.exec(data)?.[1];
  return data.includes('"functionCall"') ? 'call look' : `result ${result}`;
}

function stepOf(event: RunEvent): string {
  return event.type === 'tool'
    ? `${event.name} ${event.phase} `
    : (/answer|failure/.exec(event.type)?.[0].concat(' ') ?? '');
}

async function statusOf({ url, token }: { readonly url: string; readonly token: string }): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'look', arguments: {} } });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

describe('a conversation with model tools, over the real CLI', () => {
  beforeAll(async () => {
    place = await openCliToolsPlace({ way: 'warm' });
  });
  afterAll(async () => expect(await place.close()).toEqual([]));

  it('goes on in its session, with what its tools have told, each message at an address of its own', async () => {
    await sayFirst();
    const requests = await sayNext();
    expect(requests.map(told)).toEqual([kept.slice(0, -2), kept]);
    const [first, second] = place.opened;
    expect([first?.url === second?.url, first?.token === second?.token]).toEqual([false, false]);
  });

  it('TOOLS-05: has an address that leads nowhere between two messages, and an old token calls no tool', async () => {
    await sayFirst();
    const { url: sessionUrl } = place.opened.at(-1) ?? {};
    const between = (await place.leads()).find(({ url }) => url === sessionUrl);
    expect(between?.token).toBe(place.opened.at(-1)?.token);
    expect(await Promise.all(place.opened.map(statusOf))).toEqual(place.opened.map(() => 404));
    const inCall: number[] = [];
    const statuses = async () => {
      const [of = { url: '', token: '' }] = place.opened.slice(-1);
      inCall.push(
        await statusOf({ url: between?.url ?? '', token: of.token }),
        await statusOf({ url: of.url, token: between?.token ?? '' }),
      );
    };
    place.api.reply(inOrder(look, text('TWO')));
    const source = new ScriptedToolProvider({
      tools: [modelTool('look')],
      answer: async () => {
        await statuses();
        return { text: 'Other.', data: {}, isDone: true };
      },
    });
    await place.run({
      input: 'two',
      owner: 'a',
      history,
      mayContinue: true,
      toolProviders: [Object.assign(source, { cacheKey: 'the project' })],
    });
    expect([inCall, source.calls.length, told(place.api.requests.at(-1))]).toEqual([[404, 401], 1, kept]);
  });

  it.each<[string, Message]>([
    ['another owner', { owner: 'b' }],
    ['another model', { model: 'gemini-2.5-flash' }],
    ['tools that reach something else', { reach: 'another project' }],
    ['tools without a cache key', { reach: null }],
    ['one more tool', { tools: [modelTool('look'), modelTool('see')] }],
    ['another description', { tools: [{ ...modelTool('look'), description: 'Looks.' }] }],
    ['another schema', { tools: [{ ...modelTool('look'), inputSchema: { type: 'object' } }] }],
    ['a tool that may change something now', { tools: [modelTool('look', true)] }],
    ['another system prompt', { settings: { ...plainRunSettings, systemPrompt: 'Be brief.' } }],
  ])('is made again from its history with %s', async (_, message) => {
    await sayFirst();
    const requests = await sayNext(message);
    expect(requests.map(told)).toEqual([again.slice(0, -2), again]);
    const names = (message.tools ?? [modelTool('look')]).map(({ name }) => `mcp_lend_${name}`);
    expect(requests.map(({ functionNames }) => functionNames)).toEqual([names, names]);
  });

  it('is rebuilt from its history if the tools have changed, and does not return to the earlier session', async () => {
    await sayFirst();
    await sayNext({ tools: [modelTool('look'), modelTool('see')] });
    expect((await sayNext()).map(told).at(-1)).toEqual(again);
  });

  it('forgets what the tools have told once that is much, so that it does not fill the window', async () => {
    const usage = { candidatesTokens: 1 };
    const after = async (promptTokens: number) => {
      place.api.reply(inOrder(look, text('ONE', { usage: { ...usage, promptTokens } })));
      await say('one', { told: 'CANARY' });
      return (await sayNext()).map(told).at(-1);
    };
    expect(await after(200_000)).toEqual(kept);
    expect(await after(200_001)).toEqual(again);
  });

  it('is one session for one message: of two at once, one is made again, and neither hears of the other', async () => {
    await sayFirst();
    place.api.reply(text('TWO'));
    const said = await Promise.all(['left', 'right'].map((input) => say(input, { history })));
    const requests = said.flatMap(({ requests: sent }) => sent.slice(0, 1)).map(told);
    expect(said.map(({ steps }) => steps)).toEqual(['answer ', 'answer ']);
    expect(
      place.api.requests
        .slice(-2)
        .map(told)
        .toSorted((one, other) => other.length - one.length),
    ).toEqual([
      ['one', ...firstLook, 'ONE', expect.stringMatching(/^(left|right)$/)],
      [...asked, expect.stringMatching(/^(left|right)$/)],
    ]);
    expect(requests).toHaveLength(2);
  });
});

describe('a session with model tools, over the real CLI', () => {
  const refusal = apiError({ code: 400, message: 'no', status: 'INVALID_ARGUMENT' });

  /** The second message comes to nothing. */
  const endings: Readonly<Record<string, () => Promise<{ readonly steps: string }>>> = {
    'a failure of the API': async () => {
      place.api.reply(refusal);
      return await say('two', { history });
    },
    'a cancel in the middle of a call': async () => {
      const over = new AbortController();
      place.api.reply(inOrder(look, hang()));
      return await say('two', { history, inCall: () => over.abort() }, over.signal);
    },
    'the end of its process in the middle of a call': async () => {
      place.api.reply(inOrder(look, hang()));
      return await say('two', { history, inCall: () => place.kill() });
    },
    'a crash between two messages': async () => {
      place.kill();
      return { steps: 'failure ' };
    },
  };

  afterEach(async () => expect(await place.close()).toEqual([]));

  it.each(Object.entries(endings))('ends with %s', async (_, end) => {
    place = await openCliToolsPlace({ way: 'warm' });
    await sayFirst();
    expect((await end()).steps).toMatch(/failure $/);
    const requests = await sayNext();
    expect(requests.map(told)).toEqual([again.slice(0, -2), again]);
    expect(await place.leads()).toHaveLength(1);
    expect(await Promise.all(place.opened.map(statusOf))).toEqual(place.opened.map(() => 404));
  });
});
