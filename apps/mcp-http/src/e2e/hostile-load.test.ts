import { cliAnswer } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawConnection } from '../operation/testing/raw-connection.ts';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import type { McpHttpClient } from './mcp-http-client.ts';
import { bytesOf, peakBytesOf } from './memory-of.ts';
import { clientOf, tokenOf } from './principals.ts';
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
  server = await setup.startFor([{ name: 'bob' }, { name: 'mallory' }], environment);
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

/** As many calls of another principal, each with an answer; the first one runs the CLI. */
async function expectService(calls: number): Promise<void> {
  expect(await bob.call('geminiChat', { prompt: 'x' })).toMatchObject({ isError: false });
  for (let call = 1; call < calls; call += 1) {
    expect(await bob.request('tools/list')).toHaveProperty('result.tools');
  }
}

/** The server lives, answers, has grown by no more, and has logged no bug. */
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

describe('HTTP-09: bodies that are too large, the built HTTP server', () => {
  it.each(['/mcp', '/api/gemini-query'])('100 MB to %s are refused, with or without a Content-Length', async (path) => {
    await start();
    const piece = Buffer.alloc(megabyte, 'x');
    const send = async (header: string, frame: (bytes: Buffer) => Buffer): Promise<string> => {
      const connection = await connect();
      await connection.send(head(path, header));
      if (header.startsWith('Content-Length')) {
        // Decided by the head: not a byte of the body was sent.
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
});

describe('floods, the built HTTP server', () => {
  it("1,500 sessions of one principal do not affect another's, and their number is bounded", async () => {
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
});
