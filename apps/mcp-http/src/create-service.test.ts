import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccess } from './access/open-access.ts';
import { type Reply, type RequestToSend, sendRequest } from './access/testing/send-request.ts';
import { createService, type Service } from './create-service.ts';
import { createHttpServer, defaultHttpLimits } from './operation/create-http-server.ts';
import { type Address, listen } from './operation/listen.ts';
import { RawConnection } from './operation/testing/raw-connection.ts';
import { createKeptLog, type LoggedLine } from './operation/testing/served-app.ts';
import { readHttpConfiguration } from './settings/read-http-configuration.ts';

const token = 'token-of-these-tests-0123456789-abcdef';
const right = ['Authorization', `Bearer ${token}`] as const;
const local = ['Host', '127.0.0.1'] as const;
const json = ['Content-Type', 'application/json'] as const;
const both = ['Accept', 'application/json, text/event-stream'] as const;
const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe('the complete service', () => {
  const root = mkdtempSync(join(tmpdir(), 'gemini-mcp-service-'));
  const lines: LoggedLine[] = [];
  let service: Service;
  let server: Server;
  let address: Address;

  beforeAll(async () => {
    const environment = {
      HOME: root,
      PATH: '',
      GEMINI_MCP_CLI: join(root, 'no-cli'),
      GEMINI_MCP_STATE_DIR: join(root, 'state'),
      GEMINI_MCP_TOKEN: token,
      GEMINI_MCP_PORT: '0',
      GEMINI_MCP_ALLOWED_ORIGINS: 'https://app.example',
    };
    const log = createKeptLog(lines);
    const { configuration, http: standard } = readHttpConfiguration({ environment, currentDirectory: root });
    const http = { ...standard, maxBodyBytes: 10_000 };
    const access = await openAccess(http);
    service = createService({ configuration, http, environment, api: null, access, log });
    const { app, metrics } = service;
    server = createHttpServer({ fetch: app.fetch, limits: defaultHttpLimits, log, onRefused: metrics.onRefused });
    address = await listen(server, http);
  });

  afterAll(async () => {
    await service.endStreams();
    server.closeAllConnections();
    server.close();
    rmSync(root, { recursive: true });
  });

  const send = (request: Omit<RequestToSend, 'port'>): Promise<Reply> =>
    sendRequest({ port: address.port, ...request });

  it.each<[string, Omit<RequestToSend, 'port'>, number, string]>([
    ['HTTP-05: no Host', { headers: [right, json], body: hello }, 403, 'host-not-allowed'],
    [
      'a wrong Host and a wrong Origin',
      {
        headers: [
          ['Host', 'a.example'],
          ['Origin', 'null'],
        ],
      },
      403,
      'host-not-allowed',
    ],
    [
      'a wrong Origin and a wrong token',
      { headers: [local, ['Origin', 'https://evil.example']] },
      403,
      'origin-not-allowed',
    ],
    [
      'no token and a body that is too large',
      { headers: [local, json], body: 'x'.repeat(20_000) },
      401,
      'token-missing',
    ],
    ['a body that is too large', { headers: [local, right, json], body: 'x'.repeat(20_000) }, 413, 'body-too-large'],
    [
      'a body of another type',
      { headers: [local, right, ['Content-Type', 'text/plain']], body: hello },
      415,
      'unsupported-media-type',
    ],
  ])('checks in order: %s', async (_, request, status, reason) => {
    const reply = await send(request);
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body)).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { reason } } });
  });

  it('answers MCP, and returns the id of the log', async () => {
    const reply = await send({ headers: [local, right, json, both, ['X-Request-Id', 'ping-1']], body: hello });
    expect(JSON.parse(reply.body)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(reply.headers['x-request-id']).toBe('ping-1');
    await expect
      .poll(() => lines.filter(({ requestId }) => requestId === 'ping-1'))
      .toMatchObject([{ event: 'request', route: '/mcp', status: 200, principal: 'local' }]);
  });

  it.each([
    ['GET', '/healthz', 200],
    ['POST', '/healthz', 405],
    ['GET', '/readyz', 503],
    ['GET', '/.well-known/oauth-protected-resource/mcp', 404],
    ['GET', '/metrics', 401],
    ['GET', '/openapi.json', 401],
    ['POST', '/api/gemini-chat', 401],
    ['GET', '/sse', 401],
    ['GET', '/nothing', 401],
  ])('without a token: %s %s is %i', async (method, target, status) => {
    expect((await send({ method, target, headers: [local] })).status).toBe(status);
  });

  it.each([
    ['GET', '/metrics', 200],
    ['POST', '/metrics', 405],
    ['POST', '/openapi.json', 405],
    ['GET', '/openapi.json', 200],
    ['GET', '/mcp', 405],
    ['DELETE', '/mcp', 405],
    ['GET', '/api/gemini-chat', 405],
    ['GET', '/api/nothing', 404],
    ['GET', '/sse', 404],
    ['POST', '/messages', 404],
    ['GET', '/', 404],
  ])('with a token: %s %s is %i', async (method, target, status) => {
    expect((await send({ method, target, headers: [local, right] })).status).toBe(status);
  });

  it('shares responses with a configured origin, including errors', async () => {
    const origin = ['Origin', 'https://app.example'] as const;
    const preflight = await send({
      method: 'OPTIONS',
      headers: [local, origin, ['Access-Control-Request-Method', 'POST']],
    });
    expect(preflight.status).toBe(204);
    for (const { headers } of [preflight, await send({ headers: [local, origin] })]) {
      expect(headers['access-control-allow-origin']).toBe('https://app.example');
    }
  });

  it('counts refusals', async () => {
    const { body } = await send({ method: 'GET', target: '/metrics', headers: [local, right] });
    expect(body).toMatch(/^gemini_mcp_http_refused_total\{code="host-not-allowed"\} [1-9]/m);
    expect(body).toMatch(/^gemini_mcp_http_requests_total\{route="\/mcp",method="POST",status="200"\} [1-9]/m);
  });

  // The last test: nothing is served afterwards.
  it('begins no request that arrives completely after shutdown began', async () => {
    const heads = ['/mcp', '/api/gemini-context'].map((path) =>
      [`POST ${path} HTTP/1.1`, ...[local, right, json, both].map((line) => line.join(': ')), 'Content-Length: 2'].join(
        '\r\n',
      ),
    );
    const connections = await Promise.all(heads.map(() => RawConnection.open(address.port)));
    for (const [index, connection] of connections.entries()) {
      await connection.send(`${heads[index]}\r\nExpect: 100-continue\r\n\r\n`);
      await connection.until('100 Continue');
    }
    service.drain.begin();
    for (const connection of connections) {
      await connection.send('{}');
      expect(await connection.closed()).toMatch(/ 503 Service Unavailable\r\n[\s\S]*"shutting-down"/);
    }
  });
});
