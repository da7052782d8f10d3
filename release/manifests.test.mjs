import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpbManifestSchema } from '@anthropic-ai/mcpb/schemas/0.3';
import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { toolDeclarations } from '../packages/mcp/dist/declarations.js';
import { rootDirectory } from '../scripts/run-step.mjs';
import { declaration } from './declaration.mjs';
import { manifests, serverJson } from './manifests.mjs';
import { bundleManifest } from './mcp-bundle.mjs';

const readText = (path) => readFileSync(join(rootDirectory, path), 'utf8');

const made = (path) => JSON.parse(manifests.get(path));

it.each([...manifests])(
  '%s is the one that the declaration makes (`npm run manifests` writes it)',
  async (path, text) => {
    await expect(text).toMatchFileSnapshot(join(rootDirectory, path));
  },
);

const bundle = {
  registryType: 'mcpb',
  identifier: 'https://github.com/OWNER/gemini-mcp-server/releases/download/v1.0.0/gemini-mcp-server-1.0.0.mcpb',
  version: '1.0.0',
  fileSha256: 'a'.repeat(64),
  transport: { type: 'stdio' },
};

describe('the schema of its format takes', () => {
  it.each([
    ['server.json', 'server-2025-12-11', made('server.json')],
    ['server.json with a bundle', 'server-2025-12-11', serverJson([bundle])],
    ['plugin.json', 'agent-plugin-1.0.0', made('plugins/gemini/plugin.json')],
    ['mcp.json', 'agent-plugin-mcp-1.0.0', made('plugins/gemini/mcp.json')],
  ])('%s', (_, schema, manifest) => {
    const validator = new Validator(JSON.parse(readText(`release/schemas/${schema}.json`)), '2020-12', false);
    expect(validator.validate(manifest).errors).toEqual([]);
  });

  it('the manifest of the bundle', () => {
    expect(McpbManifestSchema.parse(bundleManifest)).toEqual(bundleManifest);
  });
});

it('describes itself in a sentence that every channel takes', () => {
  expect(declaration.sentence.length).toBeLessThanOrEqual(100);
  expect(declaration.sentence).toMatch(/^[\x20-\x7e]+$/);
});

it('names all tools in the bundle', () => {
  expect(bundleManifest.tools.map(({ name }) => name)).toEqual(toolDeclarations.map(({ name }) => name));
});

it.each(['plugins/gemini/README.md', 'apps/mcp-stdio/README.md'])("%s says what becomes of a user's data", (path) => {
  expect(readText(path).replace(/\s+/g, ' ')).toContain(declaration.privacy.text);
});

it('gives plugins an icon of 512 by 512 pixels', () => {
  const icon = readFileSync(join(rootDirectory, 'plugins/gemini/icon.png'));
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([512, 512]);
});
