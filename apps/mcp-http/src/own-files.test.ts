import { createHash } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAccess } from './access/open-access.ts';
import { sendRequest } from './access/testing/send-request.ts';
import { createService } from './create-service.ts';
import { createHttpServer, defaultHttpLimits } from './operation/create-http-server.ts';
import { listen } from './operation/listen.ts';
import { createKeptLog } from './operation/testing/served-app.ts';
import { readHttpConfiguration } from './settings/read-http-configuration.ts';

const token = 'token-of-a-reader-0123456789-abcdefgh';
const secret = 'token-of-the-operator-0123456789-abcd';

let root: string;
let server: Server;
let port: number;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gemini-mcp-own-files-'));
  const tokenSha256 = createHash('sha256').update(token).digest('hex');
  const principals = [{ name: 'reader', tokenSha256, scopes: ['gemini:query', 'gemini:files'] }];
  await writeFile(join(root, 'access.txt'), `${secret}\n`, { mode: 0o600 });
  await writeFile(join(root, 'people.json'), JSON.stringify({ principals }), { mode: 0o600 });
  await writeFile(join(root, 'code.ts'), 'export {};\n');
  await symlink('access.txt', join(root, 'link.txt'));
  const environment = {
    HOME: '/home/ada',
    PATH: '',
    GEMINI_MCP_STATE_DIR: join(root, 'state'),
    GEMINI_MCP_TOKEN_FILE: join(root, 'access.txt'),
    GEMINI_MCP_PRINCIPALS_FILE: join(root, 'people.json'),
    GEMINI_MCP_PORT: '0',
  };
  const log = createKeptLog([]);
  const { configuration, http } = readHttpConfiguration({ environment, currentDirectory: root });
  const access = await openAccess(http);
  const { app } = createService({ configuration, http, environment, api: null, access, log });
  server = createHttpServer({ fetch: app.fetch, limits: defaultHttpLimits, log });
  ({ port } = await listen(server, http));
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(root, { recursive: true });
});

async function ask(path: string, body: object): Promise<string> {
  const reply = await sendRequest({
    port,
    target: path,
    headers: [
      ['Host', 'localhost'],
      ['Authorization', `Bearer ${token}`],
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
    ],
    body: JSON.stringify(body),
  });
  expect(reply.status).toBe(200);
  return reply.body;
}

it('refuses its own access files to everyone, even inside allowed directories', async () => {
  const files = ['access.txt', 'people.json', 'link.txt'];
  const text = await ask('/api/gemini-context', { files, glob_patterns: ['**/*'] });
  const [sent, leftOut] = text.split('Left out');
  expect(sent).toContain('code.ts');
  for (const name of files) {
    expect(sent).not.toContain(name);
    expect(leftOut).toContain(name);
  }
});

it('suggests neither them nor the state directory (KEYFILE-05)', async () => {
  const complete = {
    jsonrpc: '2.0',
    id: 1,
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'review' }, argument: { name: 'target', value: '' } },
  };
  const text = await ask('/mcp', complete);
  expect(text).toContain('code.ts');
  for (const name of ['access.txt', 'people.json', 'link.txt', 'state/']) {
    expect(text).not.toContain(name);
  }
});
