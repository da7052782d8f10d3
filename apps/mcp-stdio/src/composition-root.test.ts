import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration, toolNames } from '@gemini-mcp/server';
import type { InjectionToken } from 'tsyringe';
import { expect, it } from 'vitest';
import { composeServer } from './composition-root.ts';
import * as tokens from './tokens.ts';

const compose = (): ReturnType<typeof composeServer> => {
  const environment = { HOME: tmpdir(), GEMINI_MCP_STATE_DIR: join(tmpdir(), 'never-made') };
  const { configuration } = readConfiguration({ environment, currentDirectory: tmpdir() });
  const ignore = (): void => undefined;
  return composeServer({
    configuration,
    environment,
    onCliFound: ignore,
    onRun: ignore,
    onQuarantine: ignore,
    onJobError: ignore,
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

it('offers the tools that can be chosen by name', () => {
  const names = compose()
    .resolve(tokens.SURFACE)
    .tools.map(({ name }) => name);
  expect(names.toSorted()).toEqual(toolNames.toSorted());
});
