import { once } from 'node:events';
import { app } from '../express-route.ts';
import { askOverHttp } from './ask-over-http.ts';

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
await askOverHttp({ address: server.address(), leaves: process.argv.includes('--leave') });
server.close();
