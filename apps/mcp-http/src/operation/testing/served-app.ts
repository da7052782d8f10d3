import type { Server } from 'node:http';
import { SystemClock } from '@gemini-mcp/adapters-node';
import type { Scope } from '@gemini-mcp/mcp/internal/declarations';
import type { Log, LogEvent } from '@gemini-mcp/server';
import { Hono, type MiddlewareHandler } from 'hono';
import type { Principal } from '../../access/principal.ts';
import type { HttpEnv } from '../../http-env.ts';
import { createHttpServer, defaultHttpLimits, type HttpLimits } from '../create-http-server.ts';
import { type Address, listen } from '../listen.ts';
import { identifyRequests } from '../log-requests.ts';

export type LoggedLine = Readonly<Record<string, unknown>> & {
  readonly level: string;
  readonly event: string;
};

/** A log that keeps its lines. */
export function createKeptLog(lines: LoggedLine[]): Log {
  const at =
    (level: string): LogEvent =>
    (event, fields = {}) =>
      lines.push({ ...fields, level, event });
  return { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const believeCaller: MiddlewareHandler<HttpEnv> = (context, next) => {
  const name = context.req.header('X-Principal') ?? 'local';
  const principal: Principal = { name, owner: `digest of ${name}`, scopes: new Set<Scope>(), roots: null };
  context.set('principal', principal);
  return next();
};

/** A real server on a free port, whose callers name themselves in `X-Principal`. */
export class ServedApp {
  readonly clock = new SystemClock();
  readonly lines: LoggedLine[] = [];
  readonly log: Log = createKeptLog(this.lines);
  /** Codes of refusals outside the routes. */
  readonly refused: string[] = [];
  readonly app = new Hono<HttpEnv>();
  readonly server: Server;
  #address: Address = { host: '127.0.0.1', port: 0 };

  constructor(limits: Partial<HttpLimits> = {}) {
    this.server = createHttpServer({
      fetch: this.app.fetch,
      limits: { ...defaultHttpLimits, ...limits },
      log: this.log,
      onRefused: (code) => this.refused.push(code),
    });
    this.app.onError(() => new Response(null, { status: 500 }));
    this.app.use(identifyRequests);
    this.app.use(believeCaller);
  }

  get port(): number {
    return this.#address.port;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  async start(): Promise<this> {
    this.#address = await listen(this.server, this.#address);
    return this;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
    this.server.closeAllConnections();
    await closed;
  }
}
