import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackExtension, validateManifest } from '@anthropic-ai/mcpb';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildBundle, bundleManifest } from './mcp-bundle.mjs';

const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

const listingTools = [
  { id: 1, method: 'initialize', params: client },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

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

it.each([
  ['only what has no default', {}],
  ['names that a shell would read', { project: 'it\'s $(touch x) `id`; \u6f22 "q" %PATH%' }],
])('its server starts where a user fills in %s', async (_, { project = 'project' }) => {
  const directory = join(root, project);
  mkdirSync(directory);
  const { command, args, env } = bundleManifest.server.mcp_config;
  const values = {
    api_key: '${user_config.api_key}',
    agent: bundleManifest.user_config.agent.default,
    project: directory,
  };
  const fillIn = (text) =>
    text.replace(/\$\{(?:user_config\.)?(\w+)\}/g, (_, name) => ({ ...values, __dirname: unpacked })[name]);
  const filledIn = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fillIn(value)]));
  const { stdout, stderr } = await execa(command, args.map(fillIn), {
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: root, ...filledIn },
    extendEnv: false,
    input: listingTools,
  });
  expect(stdout).toContain('"gemini_query"');
  expect(stderr).not.toContain('error');
  expect(readdirSync(directory)).toEqual([]);
});
