import { createServer } from 'node:http';
import type { RunEvent } from '@gemini-mcp/core';
import { ScriptedToolProvider } from '@gemini-mcp/core/testing';
import { type CliWay, cliWays } from '@gemini-mcp/fake-gemini';
import { apiError, hang, inOrder, text, toolCalls } from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CliToolsPlace, modelTool, openCliToolsPlace } from './testing/cli-tools-place.ts';

const callsOf = (name: string, n = 1) => toolCalls([{ name: `mcp_lend_${name}`, args: { n } }]);

/** One place for the tests of a way: its processes start in a second or two. */
let place: CliToolsPlace;
let requestsBefore = 0;

/** What Gemini got in this test. */
const requests = () => place.api.requests.slice(requestsBefore);

function sharePlace(way: CliWay): void {
  beforeAll(async () => {
    place = await openCliToolsPlace({ way });
  });
  beforeEach(() => {
    requestsBefore = place.api.requests.length;
  });
  afterAll(async () => expect(await place.close()).toEqual([]));
}

describe.each(cliWays)('a run of the real CLI that lends tools, %s', (way) => {
  sharePlace(way);

  it('offers them and nothing else, makes the calls, and brings the results back', async () => {
    const source = sourceOf(({ name }) => ({ text: `Did ${name}`, data: {}, isDone: true }));
    place.api.reply(inOrder(callsOf('look'), callsOf('put', 2), text('done')));
    const events = await place.run({ toolProviders: [source] });
    expect(source.calls.map((call) => [call.name, call.arguments])).toEqual([
      ['look', { n: 1 }],
      ['put', { n: 2 }],
    ]);
    expect(requests().map(({ functionNames }) => functionNames)).toEqual(
      Array.from({ length: 3 }, () => ['mcp_lend_look', 'mcp_lend_put']),
    );
    const told = JSON.stringify(requests().at(-1)?.contents);
    expect([told.includes('Did look'), told.includes('Did put')]).toEqual([true, true]);
    expect(stepsIn(events)).toEqual(['look started', 'look succeeded', 'put started', 'put succeeded']);
    expect(events.at(-1)).toMatchObject({ type: 'answer' });
  });

  it('keeps the token out of commands, environments and reports', async () => {
    place.api.reply(inOrder(callsOf('look'), text('done')));
    await place.run({ toolProviders: [sourceOf()] });
    const toolSession = place.opened.at(-1);
    expect(toolSession?.token).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(place.reports)).not.toContain(toolSession?.token);
  });

  it('TOOLS-05: goes past a proxy, which would get the token', async () => {
    const asked: string[] = [];
    const proxy = createServer((_, response) => response.writeHead(502).end())
      .on('connect', (request, socket) => {
        asked.push(`${request.url}`);
        socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      })
      .on('request', ({ url }) => asked.push(`${url}`));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const other = await openCliToolsPlace({
      way,
      environment: { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: 'a.example' },
    });
    other.api.reply(inOrder(callsOf('look'), text('done')));
    const events = await other.run({ toolProviders: [sourceOf()] });
    await new Promise((resolve) => proxy.close(resolve));
    expect(events.at(-1)).toMatchObject({ type: 'answer' });
    expect(asked).toEqual([]);
    expect(await other.close()).toEqual([]);
  });

  it('fails if the CLI did not get the tools', async () => {
    const other = await openCliToolsPlace({
      way,
      change: (toolSession) => ({ ...toolSession, url: 'http://127.0.0.1:9/r/0' }),
    });
    other.api.reply(text('An answer without tools.'));
    const events = await other.run({ toolProviders: [sourceOf()] });
    expect(events.at(-1)).toMatchObject({ type: 'failure', failure: { kind: 'runner-unavailable' } });
    expect(JSON.stringify(events)).not.toContain('An answer without tools.');
    expect(way === 'warm' ? other.api.requests : []).toEqual([]);
    expect(await other.close()).toEqual([]);
  });

  it('answers where the sources have no tools', async () => {
    place.api.reply(text('done'));
    const events = await place.run({ toolProviders: [new ScriptedToolProvider({ tools: [] })] });
    expect(events.at(-1)).toMatchObject({ type: 'answer' });
    expect(requests().flatMap(({ functionNames }) => functionNames)).not.toContain('run_shell_command');
  });

  it('goes on with a conversation', async () => {
    place.api.reply(inOrder(callsOf('look'), text('done')));
    const history = [
      { role: 'user', text: 'The word is canary.' },
      { role: 'model', text: 'I see.' },
    ] as const;
    const events = await place.run({ toolProviders: [sourceOf()], history, mayContinue: true });
    expect(events.at(-1)).toMatchObject({ type: 'answer' });
    expect(JSON.stringify(requests().at(-1)?.contents)).toContain('The word is canary.');
    expect(stepsIn(events)).toEqual(['look started', 'look succeeded']);
  });

  it('brings a picture to the model', async () => {
    place.api.reply(inOrder(callsOf('look'), text('done')));
    const bytes = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
    const media = [{ path: 'a.png', mediaType: 'image/png', bytes }];
    const source = sourceOf(() => ({ text: 'This is a.png.', data: {}, isDone: true, media }));
    expect((await place.run({ toolProviders: [source] })).at(-1)).toMatchObject({ type: 'answer' });
    const told = JSON.stringify(requests().at(-1)?.contents);
    expect(told).toContain(JSON.stringify({ data: Buffer.from(bytes).toString('base64'), mimeType: 'image/png' }));
  });

  it('lends tools that are called as those of the CLI are', async () => {
    const names = ['read_file', 'write_file', 'run_shell_command', 'x'.repeat(63)];
    const source = new ScriptedToolProvider({ tools: names.map((name) => modelTool(name, true)) });
    const [first] = names;
    place.api.reply(inOrder(callsOf(`${first}`), text('done')));
    const events = await place.run({ toolProviders: [source] });
    expect(requests()[0]?.functionNames.slice(0, 3)).toEqual(names.slice(0, 3).map((name) => `mcp_lend_${name}`));
    expect(requests()[0]?.functionNames[3]).toMatch(/^mcp_lend_x{45}_[0-9a-f]{8}$/);
    expect(stepsIn(events)).toEqual(['read_file started', 'read_file succeeded']);
  });

  it('returns a text of bare JSON as text', async () => {
    place.api.reply(inOrder(callsOf('look'), text('done')));
    const source = sourceOf(() => ({ text: '[1]', data: {}, isDone: true }));
    expect((await place.run({ toolProviders: [source] })).at(-1)).toMatchObject({ type: 'answer' });
    expect(JSON.stringify(requests().at(-1)?.contents)).toContain('\\n[1]\\n');
  });
});

describe.each(cliWays)('TOOLS-05: the address of a run of the real CLI, %s', (way) => {
  const endings = {
    'an answer': 'answer',
    'a failure of the API': 'failure',
    'an abort in the middle of a call': 'abort',
    'the deadline in the middle of a call': 'deadline',
    'a crash of the CLI in the middle of a call': 'crash',
  } as const;
  sharePlace(way);

  it.each(Object.entries(endings))('is closed for good after %s', async (_, ending) => {
    const openedBefore = place.opened.length;
    const over = new AbortController();
    const endNow = { abort: () => over.abort(), crash: () => place.kill() };
    const signals: AbortSignal[] = [];
    const source = sourceOf((__, signal) => {
      signals.push(signal);
      if (ending === 'answer' || ending === 'failure') {
        return { text: 'Done.', data: {}, isDone: true };
      }
      if (ending !== 'deadline') {
        endNow[ending]();
      }
      return new Promise(() => undefined);
    });
    const last = { answer: text('done'), failure: apiError({ code: 400, message: 'no', status: 'INVALID_ARGUMENT' }) };
    place.api.reply(inOrder(callsOf('put'), ending === 'answer' || ending === 'failure' ? last[ending] : hang()));
    const deadlineAtMs = place.now() + (ending === 'deadline' ? 8_000 : 60_000);
    const events = await place.run({ toolProviders: [source], deadlineAtMs }, over.signal);
    expect(events.at(-1)).toMatchObject({ type: ending === 'answer' ? 'answer' : 'failure' });
    const [toolSession, ...more] = place.opened.slice(openedBefore);
    const headers = { authorization: `Bearer ${toolSession?.token}` };
    const late = await fetch(toolSession?.url ?? '', { method: 'POST', headers, body: '{}' });
    expect([late.status, await late.text()]).toEqual([404, '']);
    expect([more.length, source.calls.length]).toEqual([0, 1]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([ending !== 'answer' && ending !== 'failure']);
  });
});

function sourceOf(answer?: ConstructorParameters<typeof ScriptedToolProvider>[0]['answer']): ScriptedToolProvider {
  const tools = [modelTool('look'), modelTool('put', true)];
  return new ScriptedToolProvider({ tools, ...(answer !== undefined && { answer }) });
}

function stepsIn(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'tool' ? [`${event.name} ${event.phase}`] : []));
}
