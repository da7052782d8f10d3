import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, describe, expect, it } from 'vitest';
import { Gate } from './testing/gate.ts';
import { RestScene } from './testing/rest-scene.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function send(scene: RestScene, accept: string): Promise<Socket> {
  const server = createServer(getRequestListener(scene.app.fetch, { overrideGlobalObjects: false }));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const body = JSON.stringify({ prompt: 'x' });
  socket.write(
    `POST /api/gemini-chat HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: ${accept}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

/** Reads until a text has arrived. */
async function readUntil(socket: Socket, wanted: string): Promise<string> {
  let text = '';
  while (!text.includes(wanted)) {
    const [chunk] = await once(socket, 'data');
    text += String(chunk);
  }
  return text;
}

describe('over a real connection', () => {
  it('a reader who reads nothing ends the call, and not the server', async () => {
    const piece = 'x'.repeat(65_536);
    const held = new Gate();
    const scene = new RestScene({
      script: () => ({
        chunks: ['first', ...Array.from({ length: 400 }, () => piece)],
        release: held.opened,
        hangs: true,
      }),
    });
    const socket = await send(scene, 'text/event-stream');
    await readUntil(socket, 'first');
    socket.pause();
    held.open();
    await scene.calls.ended();
    const closed = once(socket, 'close');
    socket.resume();
    let text = '';
    socket.on('data', (chunk) => {
      text = (text + String(chunk)).slice(-2_000);
    });
    await readUntil(socket, 'code 1');
    expect(text).toContain('reader-too-slow');
    socket.destroy();
    await closed;
  });
});
