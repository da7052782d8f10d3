import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerProcess, serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const modern = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

describe('the first list of tools', () => {
  let setup: ServerSetup;
  let server: ServerProcess;

  beforeEach(async () => {
    setup = await ServerSetup.create('api');
  });

  afterEach(async () => {
    server.kill('SIGKILL');
    await server.ended;
    await setup.dispose();
  });

  /** Unlike others, without the address of the offline API, which a server with the usual settings does not have. */
  function spawn(variables: Readonly<Record<string, string>> = {}, command?: readonly [string, string]): void {
    const { HOME = '', GEMINI_MCP_STATE_DIR = '' } = setup.environment();
    const environment = { HOME, GEMINI_MCP_STATE_DIR, GEMINI_API_KEY: 'a-key', ...variables };
    server = new ServerProcess({ cwd: setup.project, environment, ...(command && { command }) });
  }

  /** The build of this server lists no tools, which tells its answer from that of the loaded code. */
  async function spawnWithoutTools(variables: Readonly<Record<string, string>>): Promise<void> {
    const [source, bundle] = [dirname(serverPath), join(setup.project, '..', 'bundle')];
    await mkdir(bundle);
    for (const name of (await readdir(source)).filter((file) => file.endsWith('.cjs'))) {
      await cp(join(source, name), join(bundle, name));
    }
    await writeFile(join(bundle, 'tools.json'), '[]');
    spawn(variables, [process.execPath, join(bundle, 'gemini-mcp-server.cjs')]);
  }

  it.each<[string, boolean, Readonly<Record<string, unknown>>]>([
    ['older revisions', true, {}],
    ['2026-07-28', false, modern],
  ])('is, for a client of %s, the one of the loaded server', async (_, shakesHands, params) => {
    spawn();
    if (shakesHands) {
      await server.initialize();
    }
    const first = await server.request('tools/list', params);
    // Only loaded code knows the prompts.
    expect((await server.request('prompts/list', params)).result).toHaveProperty('prompts');
    const second = await server.request('tools/list', params);
    expect(JSON.stringify(second)).toBe(JSON.stringify({ ...first, id: second.id }));
    expect(first.result?.['tools']).not.toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['comes from the build', {}, true],
    ['comes from the server if a setting changes it', { GEMINI_MCP_READ_ONLY: '1' }, false],
    ['comes from the server if it offers other servers', { GEMINI_MCP_OFFER_SERVERS: 'all' }, false],
    ['comes from the server if calls go to Vertex AI', { GOOGLE_GENAI_USE_VERTEXAI: 'true' }, false],
  ])('%s', async (_, variables, isOfBuild) => {
    await spawnWithoutTools(variables);
    const { result } = await server.request('tools/list', modern);
    expect(JSON.stringify(result?.['tools']) === '[]').toBe(isOfBuild);
  });
});
