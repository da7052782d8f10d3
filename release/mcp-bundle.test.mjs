import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackExtension, validateManifest } from '@anthropic-ai/mcpb';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOfflineGeminiApi } from '../packages/port-contracts/src/offline-api/index.ts';
import { listingTools } from './listing-tools.mjs';
import { buildBundle, bundleManifest } from './mcp-bundle.mjs';

let root;
let path;
let unpacked;

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-mcp-bundle-')));
  path = await buildBundle(root);
  unpacked = join(root, 'unpacked');
  await unpackExtension({ mcpbPath: path, outputDir: unpacked, silent: true });
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

it('the bundle has at most 1 MB', () => {
  expect(statSync(path).size).toBeLessThanOrEqual(1_000_000);
});

it('mcpb finds nothing wrong with it', () => {
  expect(validateManifest(unpacked)).toBe(true);
});

it('the same server makes the same bundle', async () => {
  const digest = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
  expect(digest(await buildBundle(join(root, 'again')))).toBe(digest(path));
});

it.skipIf(process.platform === 'win32')(
  'everyone but its owner may only read its files, unpacked without a umask',
  () => {
    const place = join(root, 'without-umask');
    const mcpb = join(dirname(fileURLToPath(import.meta.resolve('@anthropic-ai/mcpb'))), 'cli/cli.js');
    execFileSync('sh', ['-c', 'umask 0 && exec "$@"', 'sh', process.execPath, mcpb, 'unpack', path, place]);
    const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => statSync(join(file.parentPath, file.name)).mode & 0o022)).toEqual([]);
  },
);

/** Starts the server as a client does that replaces what its user has filled in. */
function startServer(values, variables = {}) {
  const { command, args, env } = bundleManifest.server.mcp_config;
  const replace = (text) =>
    text.replace(
      /\$\{(?:user_config\.)?(\w+)\}/g,
      (whole, name) => ({ __dirname: unpacked, ...values })[name] ?? whole,
    );
  const filledIn = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, replace(value)]));
  const options = {
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: root, ...filledIn, ...variables },
    extendEnv: false,
  };
  return execa(command, args.map(replace), options);
}

it('its server lists its tools where a user fills in nothing', async () => {
  const server = startServer({});
  server.stdin.end(listingTools);
  expect((await server).stdout).toContain('"gemini_query"');
});

it('its server takes a directory whose name a shell would read', async () => {
  const project = join(root, 'it\'s $(touch x) `id`; \u6f22 "q" %PATH%');
  mkdirSync(project);
  const server = startServer({ project, agent: 'plan' });
  server.stdin.end(listingTools);
  expect((await server).stdout).toContain('"gemini_query"');
  expect(readdirSync(project)).toEqual([]);
});

it('its server sends no key that a user has not filled in', async () => {
  const api = await startOfflineGeminiApi();
  try {
    const { GEMINI_API_KEY, ...address } = api.environment();
    const server = startServer({ project: root, agent: 'plan' }, { ...address, GEMINI_MCP_RUNNER: 'api' });
    const call = { name: 'gemini_query', arguments: { prompt: 'Hello' } };
    server.stdin.write(
      `${listingTools}${JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: call })}\n`,
    );
    for await (const line of server) {
      if (JSON.parse(line).id === 3) {
        expect(line).toContain('"isError":true');
        server.stdin.end();
      }
    }
    expect(api.requests).toEqual([]);
  } finally {
    await api.close();
  }
});
