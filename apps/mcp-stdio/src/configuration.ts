import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { defaultModelChain, type ModelChain } from '@gemini-mcp/core';
import { ConfigurationError } from './configuration-error.ts';

export type Configuration = {
  /** What callers' relative paths are relative to; always an allowed root. */
  readonly workingDirectory: string;
  /** Further directories that may be read. */
  readonly roots: readonly string[];
  readonly modelChain: ModelChain;
  /** Private directory for what has to outlive a call. */
  readonly stateDirectory: string;
  /** The user's own `.gemini` directory, where a login of the Gemini CLI lies. */
  readonly userDirectory: string;
  /** Whether files that look like secrets may be sent when a caller names them. */
  readonly allowSensitive: boolean;
};

export type ConfigurationSources = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly currentDirectory: string;
};

const modelPattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Reads the settings of the server. Throws a `ConfigurationError` that names the variable which is wrong. */
export function readConfiguration({ environment, currentDirectory }: ConfigurationSources): Configuration {
  const home = environment['HOME'] || homedir();
  return {
    workingDirectory: readDirectory('GEMINI_CLI_WORKING_DIR', environment) ?? currentDirectory,
    roots: readRoots(environment),
    modelChain: readModelChain(environment),
    stateDirectory: readStateDirectory(environment, home),
    userDirectory: join(home, '.gemini'),
    allowSensitive: readSwitch('GEMINI_MCP_ALLOW_SENSITIVE', environment),
  };
}

type Environment = ConfigurationSources['environment'];

function readRoots(environment: Environment): readonly string[] {
  const entries = (environment['GEMINI_MCP_ROOTS'] ?? '').split(delimiter).filter((entry) => entry !== '');
  return entries.map((entry) => checkDirectory('GEMINI_MCP_ROOTS', entry));
}

function readDirectory(name: string, environment: Environment): string | null {
  const value = environment[name];
  return value ? checkDirectory(name, value) : null;
}

function checkDirectory(name: string, path: string): string {
  if (!isAbsolute(path)) {
    throw new ConfigurationError(`${name}: ${JSON.stringify(path)} is not an absolute path`);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ConfigurationError(`${name}: ${JSON.stringify(path)} is not a directory`);
  }
  return path;
}

function readModelChain(environment: Environment): ModelChain {
  const names = (environment['GEMINI_MCP_MODELS'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const wrong = names.find((name) => !modelPattern.test(name));
  if (wrong !== undefined) {
    throw new ConfigurationError(`GEMINI_MCP_MODELS: ${JSON.stringify(wrong)} is not the name of a model`);
  }
  const [first, ...others] = [...new Set(names)];
  return first === undefined ? defaultModelChain : [first, ...others];
}

/** By the platforms' own conventions for what programs keep between runs. */
function readStateDirectory(environment: Environment, home: string): string {
  const chosen = environment['GEMINI_MCP_STATE_DIR'];
  if (chosen) {
    if (!isAbsolute(chosen)) {
      throw new ConfigurationError(`GEMINI_MCP_STATE_DIR: ${JSON.stringify(chosen)} is not an absolute path`);
    }
    return chosen;
  }
  return join(platformStateDirectory(environment, home), 'gemini-mcp-server');
}

function platformStateDirectory(environment: Environment, home: string): string {
  if (process.platform === 'darwin') {
    return join(home, 'Library', 'Application Support');
  }
  if (process.platform === 'win32') {
    return environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
  }
  const xdg = environment['XDG_STATE_HOME'];
  return xdg && isAbsolute(xdg) ? xdg : join(home, '.local', 'state');
}

function readSwitch(name: string, environment: Environment): boolean {
  const value = environment[name] ?? '';
  if (!['', '0', '1'].includes(value)) {
    throw new ConfigurationError(`${name}: ${JSON.stringify(value)} is neither 0 nor 1`);
  }
  return value === '1';
}
