import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BodyServer } from './testing/body-server.ts';
import { requestHead } from './testing/request-head.ts';

const json = { 'Content-Type': 'application/json' };
const maxBytes = 1_000;

let server: BodyServer;

beforeEach(async () => {
  server = await BodyServer.start({ maxBytes, maxBytesAtOnce: 2_500 });
});

afterEach(() => server.stop());

describe('readBody', () => {
  it.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/JSON;charset="utf-8"'],
    ['application/json ; a=b'],
  ])('reads a body of type %s', async (type) => {
    const response = await server.post('{"a":[1,"ü"]}', { 'Content-Type': type });
    expect(response.status).toBe(200);
    expect(server.bodies).toEqual([{ a: [1, 'ü'] }]);
  });

  it('reads a body of exactly the largest size, however it is sent', async () => {
    const body = `"${'x'.repeat(maxBytes - 2)}"`;
    expect((await server.post(body)).status).toBe(200);
    const connection = await server.connect();
    const pieces = `1f4\r\n${body.slice(0, 500)}\r\n1f4\r\n${body.slice(500)}\r\n0\r\n\r\n`;
    await connection.send(`${requestHead('Transfer-Encoding: chunked')}${pieces}`);
    expect(await connection.until('}')).toMatch(/^HTTP\/1.1 200 /);
    expect(server.bodies).toEqual([JSON.parse(body), JSON.parse(body)]);
  });

  it.each([
    ['/api/x', { error: { code: 'malformed-body', message: 'The body is not valid JSON.' } }],
    ['/mcp', { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'The body is not valid JSON.' } }],
  ])('refuses invalid JSON on %s, and keeps the connection', async (path, body) => {
    const response = await server.post('{"a":', json, path);
    expect(response.status).toBe(400);
    expect(response.headers.get('Connection')).not.toBe('close');
    expect(await response.json()).toMatchObject(body);
    expect(server.bodies).toEqual([]);
  });
});

describe('readBody refuses by the headers alone', () => {
  it.each([
    ['text/plain'],
    ['text/plain; a=application/json'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['application/json, text/plain'],
  ])('HTTP-06: a body of type %s, which any web page may send, with 415', async (type) => {
    const response = await server.post('{"a":1}', { 'Content-Type': type });
    expect(response.status).toBe(415);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect(await response.json()).toMatchObject({ error: { code: 'unsupported-media-type' } });
    expect(server.bodies).toEqual([]);
  });

  it('HTTP-06: a body without a type or with two, with 415', async () => {
    const connection = await server.connect();
    await connection.send('POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
    expect(await connection.until('}')).toMatch(/^HTTP\/1.1 415 /);
    const second = await server.connect();
    await second.send(`${requestHead('Content-Type: text/plain\r\nContent-Length: 2')}{}`);
    expect(await second.until('}')).toMatch(/^HTTP\/1.1 415 /);
    expect(server.bodies).toEqual([]);
  });

  it.each(['gzip', 'br', 'deflate', 'identity, gzip', 'x'])(
    'HTTP-09: a body encoded as %s, with 415',
    async (encoding) => {
      const response = await server.post(gzipSync('{}'), { ...json, 'Content-Encoding': encoding });
      expect(response.status).toBe(415);
      expect(response.headers.get('Accept-Encoding')).toBe('identity');
      expect(await response.json()).toMatchObject({ error: { code: 'unsupported-content-encoding' } });
      expect(server.bodies).toEqual([]);
    },
  );

  it('but not an identity encoding', async () => {
    expect((await server.post('{}', { ...json, 'Content-Encoding': 'identity' })).status).toBe(200);
  });
});

describe('readBody lets a sender that waits for 100 Continue', () => {
  it('send an acceptable body', async () => {
    const connection = await server.connect();
    await connection.send(requestHead('Expect: 100-continue\r\nContent-Length: 2'));
    await connection.until('100 Continue');
    await connection.send('{}');
    expect(await connection.closed()).toContain('HTTP/1.1 200 OK');
    expect(server.bodies).toEqual([{}]);
  });

  it.each([
    ['a body that is too large', `Expect: 100-continue\r\nContent-Length: ${maxBytes + 1}`, '413'],
    ['an encoded body', 'Expect: 100-continue\r\nContent-Encoding: gzip\r\nContent-Length: 2', '415'],
  ])('not send %s', async (_, headers, status) => {
    const connection = await server.connect();
    await connection.send(requestHead(headers));
    const answer = await connection.closed();
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).not.toContain('100 Continue');
  });
});
