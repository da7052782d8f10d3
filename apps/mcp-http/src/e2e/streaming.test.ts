import { cliOpening, runnersUnderTest } from '@gemini-mcp/fake-gemini';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CurlProcess } from './curl-process.ts';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';

const never = new Promise(() => undefined);

/** A promise, and the way to keep it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe.each(runnersUnderTest)('answers as they come, the built HTTP server and the real Gemini CLI, %s', (runner) => {
  let setup: HttpSetup;
  let server: HttpServerProcess;

  beforeAll(async () => {
    setup = await HttpSetup.create(runner);
    server = await setup.start();
  });

  afterAll(async () => {
    await setup.dispose();
  });

  const curl = (prompt: string): CurlProcess =>
    new CurlProcess({ url: `${server.origin}/api/gemini-chat`, token, body: { prompt } });

  /** What was said so far. */
  const said = ({ events }: CurlProcess): string =>
    events.flatMap(({ type, content }) => (type === 'stdout' ? [content] : [])).join('');

  /** The API sees its client go, and nothing but what serves the next call is left of the last one. */
  const expectWorkToEnd = async (): Promise<void> => {
    const asked = setup.api.requests.findLast(({ method }) => method === 'streamGenerateContent');
    expect(await setup.lastingLeftovers()).toEqual([]);
    // By then this is over already, and only its news may still be on the way.
    await expect.poll(() => asked?.aborted).toBe(true);
  };

  const expectProcessOfCall = (): void => {
    expect(setup.cliProcesses()).not.toEqual([]);
  };

  it('curl has the first piece of an answer while the API still holds back the second', async () => {
    const second = gate();
    setup.api.reply(text(['The quick ', { text: 'brown fox.', after: second.opened }]));
    const client = curl('Say it in two pieces');
    await client.until(() => said(client) !== '');
    // The second piece cannot be there: the test has not let it go.
    expect(said(client)).toBe('The quick ');
    second.open();
    expect(await client.ended).toBe(0);
    expect(client.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(client.received).toMatch(/^content-type: text\/event-stream/im);
    expect(said(client)).toBe('The quick brown fox.');
    expect(client.events.at(-1)).toEqual({ type: 'close', content: 'Process exited with code 0' });
    expect(client.events.map(({ type }) => type)).toEqual(['stdout', 'stdout', 'stderr', 'close']);
  });

  it('closing curl ends the work for it', async () => {
    setup.api.reply(text(['begun ', { text: 'never said', after: never }]));
    const client = curl('Say something long');
    await client.until(() => said(client) !== '');
    expectProcessOfCall();
    client.kill();
    await client.ended;
    await expectWorkToEnd();
  });

  it.each(['0', '1'])(
    'HTTP-18: so does closing a call of MCP that has told of its progress, stateful %s',
    async (stateful) => {
      setup.api.reply(text(['begun ', { text: 'never said', after: never }]));
      const other = stateful === '0' ? server : await setup.start({ GEMINI_MCP_STATEFUL: stateful });
      const mcp = new McpHttpClient({ origin: other.origin, token });
      await mcp.initialize();
      const closing = new AbortController();
      const told: string[] = [];
      const call = mcp.call(
        'geminiChat',
        { prompt: 'Say something long' },
        {
          progressToken: 'told',
          signal: closing.signal,
          onMessage: ({ params }) => {
            told.push(String(params?.['message']));
            if (told.some((message) => message.includes('begun'))) {
              expectProcessOfCall();
              closing.abort();
            }
          },
        },
      );
      await expect(call).rejects.toThrow('aborted');
      expect(told.at(-1)).toContain('begun');
      await expectWorkToEnd();
      mcp.close();
    },
  );
});

describe('what goes wrong over plain HTTP, the built server', () => {
  let setup: HttpSetup;
  let server: HttpServerProcess;

  beforeAll(async () => {
    setup = await HttpSetup.create();
    await setup.playCli([...cliOpening(), { do: 'text', chunks: ['The quick '] }, { do: 'result', status: 'error' }]);
    server = await setup.start({ GEMINI_MCP_LOG_LEVEL: 'info' });
  });

  afterAll(async () => {
    await setup.dispose();
  });

  const post = (path: string, body: unknown, bearer = token): Promise<Response> =>
    fetch(`${server.origin}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  it.each([
    ['wrong arguments', '/api/gemini-chat', { prompt: 7 }, token, 400, 'invalid-arguments'],
    ['a misspelt argument', '/api/google-search', { query: 'x', quiet: true }, token, 400, 'invalid-arguments'],
    ['a wrong token', '/api/gemini-chat', { prompt: 'x' }, `${token}~`, 401, 'token-invalid'],
    ['a tool that is none', '/api/gemini-chatter', { prompt: 'x' }, token, 404, 'unknown-tool'],
    ['a tool by its name in MCP', '/api/geminiChat', { prompt: 'x' }, token, 404, 'unknown-tool'],
  ])('%s: a status, a word, what to do, and the id that is in the log', async (_, path, body, bearer, status, code) => {
    const answer = await post(path, body, bearer);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    const { error, ...rest } = (await answer.json()) as { readonly error: Readonly<Record<string, unknown>> };
    expect(rest).toEqual({});
    expect(error).toMatchObject({ code, message: expect.any(String), requestId: expect.any(String) });
    expect(JSON.stringify(error)).not.toMatch(/\bat \S+:\d+|<html/i);
    await server.until(() => server.stderr.includes(String(error['requestId'])));
  });

  it('a call that fails behind its first piece ends its stream with what went wrong, and the code 1', async () => {
    const client = new CurlProcess({ url: `${server.origin}/api/gemini-chat`, token, body: { prompt: 'x' } });
    expect(await client.ended).toBe(0);
    const problem = { code: 'unknown', message: expect.any(String), requestId: expect.any(String) };
    expect(client.events[0]).toEqual({ type: 'stdout', content: 'The quick ' });
    // Each model that it falls back to starts over.
    expect(client.events.filter(({ type }) => type === 'restart')).toHaveLength(3);
    expect(client.events.slice(-2)).toMatchObject([
      { type: 'error', error: { ...problem, partialText: 'The quick ' } },
      { type: 'close', content: 'Process exited with code 1' },
    ]);
  });
});
