import { resolve } from 'node:path';
import { type AskRequest, type FailureWords, plainRunSettings, type RunSettings } from '@gemini-mcp/core';
import type { AskOptions, RunOptions } from './gemini-options.ts';
import { splitEntries } from './split-entries.ts';

/** What holds where a call says nothing. */
export type CallDefaults = {
  readonly workingDirectory: string;
  readonly timeoutMs: number;
  readonly owner: string;
  /** Words on failures in the place of the core's. */
  readonly failureWords: FailureWords | undefined;
  /** Whether a name, relative to the working directory or absolute, is that of a file. */
  readonly isFile: (path: string) => Promise<boolean>;
};

const defaultMaxFiles = 2_000;
const defaultMaxBytes = 10_000_000;

export async function buildAskRequest(
  prompt: string,
  options: AskOptions,
  defaults: CallDefaults,
): Promise<AskRequest> {
  const { files = [], directories = [], model = null, timeoutMs = defaults.timeoutMs } = options;
  const { urls = [] } = options;
  const { maxFiles = defaultMaxFiles, maxBytes = defaultMaxBytes, owner = defaults.owner } = options;
  return {
    prompt,
    ...(await splitEntries(files, defaults.isFile)),
    directories,
    model,
    timeoutMs,
    maxFiles,
    maxBytes,
    owner,
    settings: buildRunSettings(options, defaults),
    ...(urls.length > 0 && { urls }),
  };
}

export function buildRunSettings(
  { systemPrompt, directory }: RunOptions,
  { workingDirectory }: CallDefaults,
): RunSettings {
  const looksInto = directory === undefined ? null : resolve(workingDirectory, directory);
  const tools = looksInto === null ? 'none' : 'read-only';
  return { ...plainRunSettings, systemPrompt: systemPrompt ?? null, tools, directory: looksInto };
}
