import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { app } from '../hono-route.ts';
import { askOverHttp } from './ask-over-http.ts';

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
await once(server, 'listening');
await askOverHttp({ address: server.address(), leaves: process.argv.includes('--leave') });
server.close();
