import { RawConnection } from '../../operation/testing/raw-connection.ts';
import { ServedApp } from '../../operation/testing/served-app.ts';
import { type ReadBodyOptions, readBoundedBody } from '../read-body.ts';

/** A real server that reads bodies, and its senders. */
export class BodyServer {
  readonly served = new ServedApp();
  /** Values that the routes got. */
  readonly bodies: unknown[] = [];
  readonly #connections: RawConnection[] = [];

  static async start(limits: Omit<ReadBodyOptions, 'clock'>): Promise<BodyServer> {
    const server = new BodyServer();
    const { served, bodies } = server;
    served.app.use(readBoundedBody({ ...limits, clock: served.clock }));
    served.app.post('*', (context) => {
      bodies.push(context.get('body'));
      return context.json({ ok: true });
    });
    await served.start();
    return server;
  }

  post(
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' },
    path = '/api/x',
  ): Promise<Response> {
    return fetch(this.served.url(path), { method: 'POST', body, headers });
  }

  async connect(): Promise<RawConnection> {
    const connection = await RawConnection.open(this.served.port);
    this.#connections.push(connection);
    return connection;
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) {
      connection.destroy();
    }
    await this.served.stop();
  }
}
