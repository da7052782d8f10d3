import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { cliAnswer } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawConnection } from '../operation/testing/raw-connection.ts';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import type { HttpAnswer, McpHttpClient } from './mcp-http-client.ts';
import { bytesOf, peakBytesOf } from './memory-of.ts';
import { clientOf, tokenOf, writePrincipals } from './principals.ts';
import { readMetric } from './read-metric.ts';

const megabyte = 1_000_000;

let setup: HttpSetup;
let server: HttpServerProcess;
let bob: McpHttpClient;
let mallory: McpHttpClient;
let connections: RawConnection[];
let bytesBefore: number;

beforeEach(async () => {
  setup = await HttpSetup.create();
  await setup.playCli(cliAnswer('answered'));
  connections = [];
});

afterEach(async () => {
  bob.close();
  mallory.close();
  for (const connection of connections) {
    connection.destroy();
  }
  await setup.dispose();
});

async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  const principals = join(setup.root, 'principals.json');
  await writePrincipals(principals, [{ name: 'bob' }, { name: 'mallory' }]);
  server = await setup.start({ GEMINI_MCP_PRINCIPALS_FILE: principals, ...environment });
  bob = clientOf('bob', server);
  mallory = clientOf('mallory', server);
  await bob.initialize();
  await expectService(1);
  bytesBefore = bytesOf(server);
}

async function connect(): Promise<RawConnection> {
  const connection = await RawConnection.open(Number(new URL(server.origin).port));
  connections.push(connection);
  return connection;
}

/** As many calls of somebody else, each with an answer; the first of them runs the CLI. */
async function expectService(calls: number): Promise<void> {
  expect(await bob.call('geminiChat', { prompt: 'x' })).toMatchObject({ isError: false });
  for (let call = 1; call < calls; call += 1) {
    expect(await bob.request('tools/list')).toHaveProperty('result.tools');
  }
}

/** The server lives, answers, has not grown by more, and has met nothing that it did not expect. */
async function expectHealth(maxGrowthBytes: number): Promise<void> {
  await expectService(2);
  expect(peakBytesOf(server) - bytesBefore).toBeLessThan(maxGrowthBytes);
  expect(server.stderr).not.toMatch(/unhandled|"level":"error"|\n\s+at /i);
}

const head = (path: string, ...headers: readonly string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${tokenOf('mallory')}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...headers,
    '',
    '',
  ].join('\r\n');

describe('senders that take their time, the built HTTP server', () => {
  it('500 slow connections keep nobody else from being served', async () => {
    await start({ GEMINI_MCP_PROFILE: 'shared' });
    const slow = await Promise.all(Array.from({ length: 500 }, connect));
    const [dripHeaders, dripBodies] = [slow.slice(0, 250), slow.slice(250)];
    await Promise.all(dripHeaders.map((each) => each.send('POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')));
    await Promise.all(dripBodies.map((each) => each.send(`${head('/mcp', 'Content-Length: 4000000')}"`)));
    let everybodyIsThere = false;
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(slow.map((each) => each.send('x')));
      await expectService(10);
      // All of them were there then; those who take too long are sent away in time.
      everybodyIsThere ||= !slow.some(({ received, isClosed }) => isClosed || received !== '');
    }
    expect(everybodyIsThere).toBe(true);
    const answers = await Promise.all(dripHeaders.map((each) => each.closed()));
    expect(answers.filter((answer) => !/^HTTP\/1\.1 408 [\s\S]*"code":"request-timeout"/.test(answer))).toEqual([]);
    await expectHealth(100 * megabyte);
  });
});

describe('HTTP-09: bodies that are too much, the built HTTP server', () => {
  it.each(['/mcp', '/api/gemini-query'])('100 MB to %s are refused, with or without their length', async (path) => {
    await start();
    const piece = Buffer.alloc(megabyte, 'x');
    const send = async (header: string, frame: (bytes: Buffer) => Buffer): Promise<string> => {
      const connection = await connect();
      await connection.send(head(path, header));
      if (header.startsWith('Content-Length')) {
        // Told by the head alone: not a byte of the body has left.
        await connection.until('body-too-large');
      }
      for (let sent = 0; sent < 100 && !connection.isClosed; sent += 1) {
        await connection.send(frame(piece));
      }
      return connection.closed();
    };
    const chunk = (bytes: Buffer): Buffer =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    const sending = [
      send(`Content-Length: ${100 * megabyte}`, (bytes) => bytes),
      send('Transfer-Encoding: chunked', chunk),
    ];
    await expectService(20);
    for (const answer of await Promise.all(sending)) {
      expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*body-too-large/);
      expect(answer).not.toContain('<html');
    }
    await expectHealth(100 * megabyte);
  });

  it('a gzip bomb and JSON of 100,000 levels are refused', async () => {
    await start();
    const bomb = gzipSync(Buffer.alloc(100 * megabyte));
    const levels = 100_000;
    const list = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gemini_query","arguments":{"prompt":${list}}}}`;
    const objects = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    for (const path of ['/mcp', '/api/gemini-query']) {
      const post = async (body: string | Buffer, ...headers: readonly string[]): Promise<string> => {
        const connection = await connect();
        await connection.send(head(path, `Content-Length: ${body.length}`, 'Connection: close', ...headers));
        await connection.send(body);
        return connection.closed();
      };
      expect(await post(bomb, 'Content-Encoding: gzip')).toMatch(/^HTTP\/1\.1 415 [\s\S]*unsupported-content-encoding/);
      expect(await post(bomb)).toMatch(/^HTTP\/1\.1 400 [\s\S]*malformed-body/);
      for (const deep of [list, call, objects]) {
        expect(await post(deep)).toMatch(/^HTTP\/1\.1 400 [\s\S]*malformed-body/);
      }
    }
    await expectHealth(100 * megabyte);
  });

  it('HTTP-11: batches that are empty, too long, nested or of a revision without them are refused', async () => {
    await start();
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const pings = (count: number) => Array.from({ length: count }, (_, id) => ping(id));
    const send = (body: unknown, version: string): Promise<HttpAnswer> =>
      mallory.send({ body, headers: { 'MCP-Protocol-Version': version } });
    for (const body of [[], pings(101), [pings(2)], [[[]]]]) {
      expect(await send(body, '2025-03-26')).toMatchObject({ status: 400, messages: [{ error: { code: -32_600 } }] });
    }
    expect(await send(pings(2), '2025-06-18')).toMatchObject({ status: 400 });
    const whole = await send(pings(100), '2025-03-26');
    expect(whole.status).toBe(200);
    expect(new Set(whole.messages.map(({ id }) => id)).size).toBe(100);
    await expectHealth(50 * megabyte);
  });
});

describe('floods, the built HTTP server', () => {
  it('1,500 sessions of one leave the session of another alone, and a bounded number of themselves', async () => {
    await start({ GEMINI_MCP_STATEFUL: '1', GEMINI_MCP_HTTP_RATE_LIMIT: '0' });
    const { sessionId } = bob;
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'm', version: '1' } };
    let [begun, served] = [0, 0];
    const flood = async (): Promise<void> => {
      while (begun < 1_500) {
        begun += 1;
        const { status } = await mallory.send({ body: { jsonrpc: '2.0', id: begun, method: 'initialize', params } });
        served += status === 200 ? 1 : 0;
      }
    };
    await Promise.all([...Array.from({ length: 20 }, flood), expectService(100)]);
    expect(served).toBe(1_500);
    expect(await readMetric(server, 'gemini_mcp_sessions')).toBe(1_000);
    expect(bob.sessionId).toBe(sessionId);
    const newcomer = clientOf('bob', server);
    await newcomer.initialize();
    expect(await newcomer.request('tools/list')).toHaveProperty('result.tools');
    newcomer.close();
    await expectHealth(250 * megabyte);
  });

  it('HTTP-03: 1,000 wrong tokens are turned away and seldom told of, and the right one is served', async () => {
    await start();
    const guess = async (index: number): Promise<number> => {
      const answer = await fetch(`${server.origin}/mcp`, {
        method: 'POST',
        headers: { Authorization: `Bearer wrong-token-${index}-0123456789-0123456789` },
      });
      expect(Number(answer.headers.get('Retry-After') ?? 0) > 0).toBe(answer.status === 429);
      await answer.arrayBuffer();
      return answer.status;
    };
    const statuses: number[] = [];
    const guessAll = async (): Promise<void> => {
      for (let round = 0; round < 20; round += 1) {
        statuses.push(...(await Promise.all(Array.from({ length: 50 }, (_, index) => guess(round * 50 + index)))));
      }
    };
    await Promise.all([guessAll(), expectService(100)]);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(980);
    const lines = server.stderr.split('\n').filter((line) => /token-refused|"status":4(?:01|29)/.test(line));
    expect(lines.filter((line) => line.includes('token-refused'))).toHaveLength(4);
    expect(lines.length).toBeLessThan(50);
    expect(server.stderr).not.toContain('wrong-token');
    await expectHealth(100 * megabyte);
  });
});
