import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { realServer } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HttpSetup } from './http-setup.ts';
import type { McpHttpClient } from './mcp-http-client.ts';
import { clientOf, type PrincipalToWrite } from './principals.ts';

let setup: HttpSetup;
let root: string;

beforeEach(async () => {
  setup = await HttpSetup.create('api');
  root = await realpath(setup.root);
  for (const name of ['given', 'of-alice', 'of-bob', 'of-dora']) {
    await mkdir(join(root, name));
  }
});

afterEach(() => setup.dispose());

/** The directories of the file server: those of its settings until it gets roots. */
async function directoriesOf(client: McpHttpClient, server: string): Promise<string> {
  const { text } = await client.call('call_tool', { name: `${server}__list_allowed_directories` });
  return text;
}

it('HUB-60: a server gets the roots of its principal, and none of the process or another principal', async () => {
  const files = realServer('filesystem', join(root, 'given'));
  const servers = await setup.writeServers({ files, shared: { ...files, shared: true } });
  const scopes = ['gemini:query', 'gemini:files', 'gemini:servers'] as const;
  const principals: readonly PrincipalToWrite[] = [
    { name: 'alice', scopes, roots: [join(root, 'of-alice')] },
    { name: 'bob', scopes, roots: [join(root, 'of-bob')] },
    { name: 'carol', scopes },
    { name: 'dora', scopes: ['gemini:query', 'gemini:servers'], roots: [join(root, 'of-dora')] },
  ];
  const server = await setup.startFor(principals, {
    ...servers,
    GEMINI_MCP_OFFER_SERVERS: 'all',
    GEMINI_MCP_OFFER_AS: 'searched',
    GEMINI_MCP_ROOTS: join(root, 'of-bob'),
  });
  const expected = { alice: 'of-alice', bob: 'of-bob', carol: 'given', dora: 'given' };
  for (const [name, directory] of Object.entries(expected)) {
    const client = clientOf(name, server);
    await client.initialize();
    const own = `Allowed directories:\n${join(root, directory)}`;
    // It requests its roots after initialisation, and answers calls meanwhile.
    await expect.poll(() => directoriesOf(client, 'files'), { timeout: 20_000 }).toBe(own);
    expect(await directoriesOf(client, 'shared')).toBe(`Allowed directories:\n${join(root, 'given')}`);
  }
});
