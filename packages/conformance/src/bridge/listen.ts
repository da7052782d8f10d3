import type { Server } from 'node:http';

/** Listens on a free port of the loopback interface. Resolves to the port. */
export async function listenForSuite(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) {
    throw new Error('The bridge does not listen');
  }
  return address.port;
}
