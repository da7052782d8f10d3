import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** An HTTP server on a free loopback port. */
export class LoopbackServer {
  readonly server: Server = createServer();

  /** Resolves to its origin. */
  async listen(port = 0): Promise<string> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  }

  async close(): Promise<void> {
    if (this.server.listening) {
      const closed = once(this.server, 'close');
      this.server.close();
      this.server.closeAllConnections();
      await closed;
    }
  }
}
