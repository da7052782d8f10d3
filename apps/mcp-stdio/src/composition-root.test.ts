import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import { readConfiguration } from '@gemini-mcp/server';
import type { InjectionToken } from 'tsyringe';
import { expect, it } from 'vitest';
import { composeServer } from './composition-root.ts';
import * as tokens from './tokens.ts';

const compose = (settings: Readonly<Record<string, string>> = {}): ReturnType<typeof composeServer> => {
  const environment = { ...settings, HOME: '/home/ada', GEMINI_MCP_STATE_DIR: join(tmpdir(), 'never-made') };
  const { configuration } = readConfiguration({ environment, currentDirectory: tmpdir() });
  const ignore = (): void => undefined;
  return composeServer({
    configuration,
    environment,

    observers: {
      onCliFound: ignore,
      onPassedOver: ignore,
      onRun: ignore,
      onChoice: ignore,
      onPool: ignore,
      onQuarantine: ignore,
      onJobError: ignore,
    },
  });
};

it.each(Object.entries<InjectionToken<unknown>>(tokens))('resolves %s, the same one each time', (_, token) => {
  const container = compose();
  const resolved = container.resolve(token);
  expect(resolved).toBeDefined();
  expect(container.resolve(token)).toBe(resolved);
});

it('two servers in one process share nothing', () => {
  expect(compose().resolve(tokens.GEMINI_RUNNER)).not.toBe(compose().resolve(tokens.GEMINI_RUNNER));
});

it('keeps no process where every call is to have its own', () => {
  const container = compose({ GEMINI_MCP_RUNNER: 'headless' });
  expect(container.resolve(tokens.WARM_RUNNER)).toBeNull();
  expect(container.resolve(tokens.GEMINI_RUNNER).capabilities).toMatchObject({ name: 'headless', warmStart: false });
});

it.each(['auto', 'warm'])('%s: lends the abilities of both ways of running', (runner) => {
  const { capabilities } = compose({ GEMINI_MCP_RUNNER: runner }).resolve(tokens.GEMINI_RUNNER);
  expect(capabilities).toMatchObject({ warmStart: true, sandbox: true, tools: expect.arrayContaining(['everything']) });
});

it('offers the tools that can be chosen by name', () => {
  const names = compose()
    .resolve(tokens.SURFACE)
    .tools.map(({ name }) => name);
  expect(names.toSorted()).toEqual(toolDeclarations.map(({ name }) => name).toSorted());
});
