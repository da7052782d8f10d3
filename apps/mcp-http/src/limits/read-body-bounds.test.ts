import { once } from 'node:events';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawConnection } from '../operation/testing/raw-connection.ts';
import { ServedApp } from '../operation/testing/served-app.ts';
import { readBoundedBody } from './read-body.ts';
import { BodyServer } from './testing/body-server.ts';
import { requestHead } from './testing/request-head.ts';

const maxBytes = 1_000;

let server: BodyServer;

beforeEach(async () => {
  server = await BodyServer.start({ maxBytes, maxBytesAtOnce: 2_500 });
});

afterEach(() => server.stop());

const chunk = (size: number): string => `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`;

describe('HTTP-09: readBody refuses a body that is too large with 413 and closes the connection', () => {
  const refusedAt = async (connection: RawConnection): Promise<void> => {
    const answer = await connection.until('"message"');
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
  };

  it('by its length, before any of it has arrived', async () => {
    const connection = await server.connect();
    await connection.send(requestHead(`Content-Length: ${maxBytes + 1}`));
    await refusedAt(connection);
    expect(await connection.closed()).toContain('"code":"body-too-large"');
    expect(server.bodies).toEqual([]);
  });

  it('in chunks, at the first byte over the limit', async () => {
    const connection = await server.connect();
    await connection.send(`${requestHead('Transfer-Encoding: chunked', '/mcp')}${chunk(maxBytes)}`);
    expect(connection.received).toBe('');
    await connection.send(chunk(1));
    await refusedAt(connection);
    expect(await connection.closed()).toContain('"code":-32000');
    expect(server.bodies).toEqual([]);
  });

  it('of 20 MB, from a client that does not know the limit', async () => {
    const response = await server.post(new Uint8Array(20 * 1_048_576).fill(0x20));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { code: 'body-too-large' } });
  });

  it('while others are served', async () => {
    const connection = await server.connect();
    await connection.send(`${requestHead('Transfer-Encoding: chunked')}${chunk(maxBytes + 1)}`);
    expect((await server.post('{}')).status).toBe(200);
    await refusedAt(connection);
    expect(server.bodies).toEqual([{}]);
  });

  it('and lingers only briefly for one that keeps sending', async () => {
    const clock = new FakeClock();
    const patient = await new ServedApp().start();
    patient.app.use(readBoundedBody({ maxBytes, clock }));
    const connection = await RawConnection.open(patient.port);
    await connection.send(`${requestHead('Transfer-Encoding: chunked')}${chunk(maxBytes + 1)}`);
    expect(await connection.until('"message"')).toMatch(/^HTTP\/1.1 413 /);
    await connection.send(chunk(1));
    expect([connection.isClosed, clock.sleeping]).toEqual([false, 1]);
    await clock.advance(500);
    await connection.closed();
    expect(clock.sleeping).toBe(0);
    await patient.stop();
  });
});

describe('readBody limits the memory of all bodies together', () => {
  /** Sends a part of a body and holds back the rest; resolves when the server has it. */
  async function begin(principal: string, size: number): Promise<RawConnection> {
    const connection = await server.connect();
    await connection.send(`${requestHead('Transfer-Encoding: chunked', '/api/x', principal)}${chunk(size)}`);
    // While another request goes back and forth, the bytes before it are read.
    await server.post('{}');
    return connection;
  }

  it('and refuses the next piece with 503 until others have ended', async () => {
    const held = [await begin('a', 900), await begin('b', 900), await begin('c', 600)];
    const refused = await begin('d', 200);
    const answer = await refused.closed();
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer.toLowerCase()).toContain('\r\nretry-after: 1\r\n');
    expect(answer).toContain('"code":"too-many-bodies"');
    for (const connection of held) {
      await connection.send('0\r\n\r\n');
      await connection.until('malformed-body');
    }
    expect((await server.post(`"${'x'.repeat(900)}"`)).status).toBe(200);
  });

  it('and half of that for one principal', async () => {
    await begin('a', 900);
    expect(await (await begin('a', 400)).closed()).toMatch(/^HTTP\/1.1 503 /);
    const other = await begin('b', 400);
    await other.send('0\r\n\r\n');
    expect(await other.until('malformed-body')).toMatch(/^HTTP\/1.1 400 /);
  });

  it('and releases the bytes of a sender that has disconnected', async () => {
    const ended: Promise<unknown>[] = [];
    server.served.server.prependListener('request', (_, outgoing) => ended.push(once(outgoing, 'close')));
    const leaving = await begin('a', 900);
    const refused = await begin('a', 900);
    expect(await refused.closed()).toMatch(/^HTTP\/1.1 503 /);
    leaving.destroy();
    await Promise.all(ended);
    const body = `"${'x'.repeat(900)}"`;
    const response = await server.post(body, { 'Content-Type': 'application/json', 'X-Principal': 'a' });
    expect(response.status).toBe(200);
  });
});
