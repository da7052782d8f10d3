import { createServer } from 'node:http';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { HttpEnv } from '../../http-env.ts';
import { type AuthenticateOptions, authenticate } from '../authenticate.ts';
import { guardHost } from '../host/guard-host.ts';
import { guardOrigin } from '../host/guard-origin.ts';
import { createChallenge, requireScopes, scopesOfMessage } from '../required-scopes.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';

export type AccessServerOptions = AuthenticateOptions & {
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
};

export type AccessServer = {
  readonly port: number;
  /** The number of bodies read. */
  readonly bodiesRead: () => number;
  close(): Promise<void>;
};

/** Serves `/mcp` after all guards of this folder, and answers with the name of the principal. */
export async function startAccessServer(create: (port: number) => AccessServerOptions): Promise<AccessServer> {
  const server = createServer({ requireHostHeader: false });
  const { port, close } = await listenOnLoopback(server);
  const { allowedHosts = [], allowedOrigins = [], ...options } = create(port);
  const resource = options.oauth?.resource ?? null;
  const challenge = createChallenge(resource);
  let bodies = 0;
  const app = new Hono<HttpEnv>();
  app.use(async (context, next) => {
    context.set('requestId', 'request-of-a-test');
    await next();
  });
  app.use(guardHost({ allowedHosts }), guardOrigin({ allowedOrigins }));
  app.use(authenticate(options));
  app.post('/mcp', async (context) => {
    bodies += 1;
    const needed = scopesOfMessage(await context.req.json(), toolDeclarations);
    return requireScopes(context, needed, challenge) ?? context.json({ name: context.get('principal').name });
  });
  // Adds a host to a request without one, so that it reaches the guard.
  server.on('request', getRequestListener(app.fetch, { hostname: 'localhost', overrideGlobalObjects: false }));
  return { port, bodiesRead: () => bodies, close };
}
