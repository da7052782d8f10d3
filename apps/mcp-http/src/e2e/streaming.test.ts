import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CurlProcess } from './curl-process.ts';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';

const never = new Promise(() => undefined);

/** A promise with its resolver. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('answers as they come, the built HTTP server and the real Gemini CLI', () => {
  let setup: HttpSetup;
  let server: HttpServerProcess;

  beforeAll(async () => {
    setup = await HttpSetup.create('warm');
    server = await setup.start();
  });

  afterAll(() => setup.dispose());

  const curl = (prompt: string): CurlProcess =>
    new CurlProcess({ url: `${server.origin}/api/gemini-chat`, token, body: { prompt } });

  /** The text so far. */
  const said = ({ events }: CurlProcess): string =>
    events.flatMap(({ type, content }) => (type === 'stdout' ? [content] : [])).join('');

  /** The API sees its client disconnect, and nothing remains of the last call but the warm process for the next. */
  const expectWorkToEnd = async (): Promise<void> => {
    const asked = setup.api.requests.findLast(({ method }) => method === 'streamGenerateContent');
    expect(await setup.lastingLeftovers()).toEqual([]);
    // By then this has ended, and only its report may still be on the way.
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
    // The second piece cannot be there: the test has not released it.
    expect(said(client)).toBe('The quick ');
    second.open();
    expect(await client.ended).toBe(0);
    expect(client.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(client.received).toMatch(/^content-type: text\/event-stream/im);
    expect(said(client)).toBe('The quick brown fox.');
    expect(client.events.at(-1)).toEqual({ type: 'close', content: 'Process exited with code 0' });
    expect(client.events.map(({ type }) => type)).toEqual(['stdout', 'stdout', 'stderr', 'close']);
  });

  it('closing curl ends its work', async () => {
    setup.api.reply(text(['begun ', { text: 'never said', after: never }]));
    const client = curl('Say something long');
    await client.until(() => said(client) !== '');
    expectProcessOfCall();
    client.kill();
    await client.ended;
    await expectWorkToEnd();
  });

  it.each(['0', '1'])(
    'HTTP-18: so does closing an MCP call that has reported progress, stateful %s',
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
