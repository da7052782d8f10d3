import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { defaultModelChain } from '@gemini-mcp/core';
import { afterAll, describe, expect, it } from 'vitest';
import { type Configuration, readConfiguration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';

const directory = mkdtempSync(join(tmpdir(), 'gemini-mcp-configuration-'));
const file = join(directory, 'file');
writeFileSync(file, '');

afterAll(() => rmSync(directory, { recursive: true }));

const read = (environment: Record<string, string>): Configuration =>
  readConfiguration({ environment: { HOME: '/home/ada', ...environment }, currentDirectory: '/project' });

describe('readConfiguration', () => {
  it('needs nothing to be set', () => {
    expect(read({})).toMatchObject({
      workingDirectory: '/project',
      roots: [],
      modelChain: defaultModelChain,
      userDirectory: '/home/ada/.gemini',
      allowSensitive: false,
    });
  });

  it('reads directories', () => {
    expect(read({ GEMINI_CLI_WORKING_DIR: directory }).workingDirectory).toBe(directory);
    expect(read({ GEMINI_MCP_ROOTS: [directory, tmpdir()].join(delimiter) }).roots).toEqual([directory, tmpdir()]);
    expect(read({ GEMINI_MCP_STATE_DIR: '/state' }).stateDirectory).toBe('/state');
  });

  it.runIf(process.platform === 'linux')('keeps its state where the platform keeps it', () => {
    expect(read({}).stateDirectory).toBe('/home/ada/.local/state/gemini-mcp-server');
    expect(read({ XDG_STATE_HOME: '/xdg' }).stateDirectory).toBe('/xdg/gemini-mcp-server');
    expect(read({ XDG_STATE_HOME: 'relative' }).stateDirectory).toBe('/home/ada/.local/state/gemini-mcp-server');
  });

  it('reads the chain of models, each once', () => {
    expect(read({ GEMINI_MCP_MODELS: ' gemini-a, gemini-b,gemini-a ,' }).modelChain).toEqual(['gemini-a', 'gemini-b']);
    expect(read({ GEMINI_MCP_MODELS: ' , ' }).modelChain).toEqual(defaultModelChain);
  });

  it('takes 1 for a switch that is on', () => {
    expect(read({ GEMINI_MCP_ALLOW_SENSITIVE: '1' }).allowSensitive).toBe(true);
    expect(read({ GEMINI_MCP_ALLOW_SENSITIVE: '0' }).allowSensitive).toBe(false);
  });

  it.each([
    [{ GEMINI_CLI_WORKING_DIR: 'relative' }, 'GEMINI_CLI_WORKING_DIR: "relative" is not an absolute path'],
    [{ GEMINI_CLI_WORKING_DIR: file }, `GEMINI_CLI_WORKING_DIR: ${JSON.stringify(file)} is not a directory`],
    [{ GEMINI_MCP_ROOTS: '/does/not/exist' }, 'GEMINI_MCP_ROOTS: "/does/not/exist" is not a directory'],
    [{ GEMINI_MCP_STATE_DIR: 'state' }, 'GEMINI_MCP_STATE_DIR: "state" is not an absolute path'],
    [{ GEMINI_MCP_MODELS: 'gemini-a,--yolo' }, 'GEMINI_MCP_MODELS: "--yolo" is not the name of a model'],
    [{ GEMINI_MCP_ALLOW_SENSITIVE: 'yes' }, 'GEMINI_MCP_ALLOW_SENSITIVE: "yes" is neither 0 nor 1'],
  ])('refuses %j and names the variable', (environment, message) => {
    expect(() => read(environment)).toThrow(new ConfigurationError(message));
  });
});
