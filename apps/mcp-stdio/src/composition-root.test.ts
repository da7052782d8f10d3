import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainRunSettings } from '@gemini-mcp/core';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import { createLog, readConfiguration } from '@gemini-mcp/server';
import type { InjectionToken } from 'tsyringe';
import { expect, it } from 'vitest';
import { composeStdioServer } from './composition-root.ts';
import * as tokens from './tokens.ts';

const log = createLog({ level: 'silent', redact: (text) => text, stream: process.stderr });

const compose = (settings: Readonly<Record<string, string>> = {}): ReturnType<typeof composeStdioServer> => {
  const environment = { ...settings, HOME: '/home/ada', GEMINI_MCP_STATE_DIR: join(tmpdir(), 'never-made') };
  const { configuration } = readConfiguration({ environment, currentDirectory: tmpdir() });
  return composeStdioServer({ configuration, environment, api: null, log });
};

const { PARTS, ...others } = tokens;

// Without a key the API reports no models.
const { knownModels: _, ...parts } = PARTS;

it.each(Object.entries<InjectionToken<unknown>>({ ...others, ...parts }))(
  'resolves %s, the same one each time',
  (_, token) => {
    const container = compose();
    const resolved = container.resolve(token);
    expect(resolved).toBeDefined();
    expect(container.resolve(token)).toBe(resolved);
  },
);

it('two servers in one process share nothing', () => {
  expect(compose().resolve(PARTS.runner)).not.toBe(compose().resolve(PARTS.runner));
});

it('keeps no process where every call has its own', () => {
  const container = compose({ GEMINI_MCP_RUNNER: 'headless' });
  expect(container.resolve(PARTS.runners).map(({ capabilities }) => capabilities.warmStart)).toEqual([false]);
  expect(container.resolve(PARTS.runner).capabilities).toMatchObject({ name: 'headless', warmStart: false });
});

it.each(['auto', 'warm'])('%s: gives a request that needs a sandbox to the backend with one', (preference) => {
  const runner = compose({ GEMINI_MCP_RUNNER: preference }).resolve(PARTS.runner);
  expect(runner.capabilitiesFor?.({})).toMatchObject({ warmStart: true });
  const inSandbox = runner.capabilitiesFor?.({ settings: { ...plainRunSettings, sandbox: true } });
  expect(inSandbox).toMatchObject({ warmStart: false, sandbox: true, tools: expect.arrayContaining(['everything']) });
});

it('offers every tool', async () => {
  const { tools } = await compose().resolve(tokens.SURFACES)(null);
  expect(tools.map(({ name }) => name).toSorted()).toEqual(toolDeclarations.map(({ name }) => name).toSorted());
});
