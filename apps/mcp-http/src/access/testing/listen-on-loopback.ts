import { once } from 'node:events';
import type { Server } from 'node:http';

/** Listens on a free port. `close` also closes open connections. */
export async function listenOnLoopback(
  server: Server,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('a TCP server has a port');
  }
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { port: address.port, close };
}
