import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { clientNames } from '@gemini-mcp/server';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientSnippet, findServer, findServerCommand } from './find-server-command.ts';

describe('findServerCommand', () => {
  let root: string;

  beforeEach(async () => {
    root = await makeSafeDirectory();
  });

  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  const find = (environment: Record<string, string>, further = {}) =>
    findServerCommand({
      environment,
      currentDirectory: '/',
      nodePath: '/opt/node',
      programPath: '/opt/server.cjs',
      ...further,
    });

  const install = (name: string): string => {
    mkdirSync(join(root, name), { recursive: true, mode: 0o755 });
    const path = join(root, name, 'gemini');
    writeFileSync(path, '#!/usr/bin/env node\n');
    chmodSync(path, 0o755);
    return path;
  };

  it('names the Gemini CLI that it found, unless a flag does', async () => {
    const path = install('bin');
    const environment = { PATH: join(root, 'bin') };
    expect((await find(environment)).args).toEqual(['/opt/server.cjs', `--cli=${path}`]);
    const flags = new Map([['cli', '/opt/gemini']]);
    expect((await find(environment, { flags })).args).toEqual(['/opt/server.cjs', '--cli=/opt/gemini']);
    expect((await find({ GEMINI_MCP_CLI: '/opt/other' })).args).toEqual(['/opt/server.cjs', '--cli=/opt/other']);
    expect((await find({})).args).toEqual(['/opt/server.cjs']);
  });

  it('names none in the project or in the cache of npx', async () => {
    install('_npx/1/bin');
    install('project/bin');
    expect((await find({ PATH: join(root, '_npx/1/bin') })).args).toEqual(['/opt/server.cjs']);
    const currentDirectory = join(root, 'project');
    expect((await find({ PATH: join(currentDirectory, 'bin') }, { currentDirectory })).args).toEqual([
      '/opt/server.cjs',
    ]);
  });

  it.each([
    { programPath: '/home/me/.npm/_npx/12ab/node_modules/gemini-mcp-server/dist/gemini-mcp-server.cjs' },
    { programPath: '/home/me/.cache/pnpm/dlx/1a2b/3c/node_modules/gemini-mcp-server/dist/gemini-mcp-server.cjs' },
    { programPath: '/tmp/bunx-0-gemini-mcp-server@latest/node_modules/gemini-mcp-server/dist/gemini-mcp-server.cjs' },
    { programPath: '/c/gemini-mcp-server-npm-1.0.0-1a.zip/node_modules/gemini-mcp-server/dist/gemini-mcp-server.cjs' },
    { nodePath: 'C:\\npm-cache\\_npx\\12ab\\node_modules\\node\\bin\\node.exe' },
  ])('started from the cache of npx, it is the command to install: %j', async (started) => {
    const server = await find({}, { ...started, flags: new Map([['read-only', '1']]) });
    expect(server).toMatchObject({ command: 'gemini-mcp-server', args: ['--read-only=1'] });
    for (const client of clientNames) {
      const { text, place } = clientSnippet(client, server);
      expect(text).not.toContain('_npx');
      expect(place).toContain('npm install -g <package>');
    }
  });

  it('gives clients no program in an archive of Yarn', async () => {
    const programPath = '/c/gemini-mcp-server-npm-1.0.0-1a.zip/node_modules/gemini-mcp-server/dist/server.cjs';
    const found = await findServer({ environment: {}, currentDirectory: '/', nodePath: '/opt/node', programPath });
    expect(found).toEqual({ problem: expect.stringContaining('archive of Yarn') });
  });

  it('never shows the value of a variable, only names that are set', async () => {
    const names = [
      'GEMINI_API_KEY',
      'GOOGLE_API_KEY',
      'GOOGLE_CLOUD_PROJECT',
      'HTTPS_PROXY',
      'no_proxy',
      'NODE_EXTRA_CA_CERTS',
    ];
    const secret = fc.stringMatching(/^[a-z0-9]{12,20}$/).map((text) => `Canary-${text}`);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names, 'MY_SECRET'), secret), async (environment) => {
        const server = await find({ ...environment });
        const set = names.filter((name) => name in environment);
        expect([...server.variables].sort()).toEqual([...set].sort());
        for (const client of clientNames) {
          const { text, place } = clientSnippet(client, server);
          expect(text + place).not.toMatch(/Canary-|MY_SECRET/);
        }
        const codex = clientSnippet('codex', server).text;
        for (const name of set) {
          expect(codex).toContain(`"${name}"`);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('takes a variable that is empty for one that is not set', async () => {
    expect((await find({ GEMINI_API_KEY: '', HTTPS_PROXY: '' })).variables).toEqual([]);
  });
});
