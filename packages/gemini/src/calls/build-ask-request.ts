import { resolve } from 'node:path';
import {
  type AskRequest,
  type CallDirectory,
  type FailureWords,
  parseLineRange,
  plainRunSettings,
  type RunSettings,
  type WorkBudget,
} from '@gemini-mcp/core';
import type { AskOptions, RunOptions } from '../gemini-options.ts';

/** What holds where a call says nothing. */
export type CallDefaults = {
  readonly workingDirectory: string;
  /** Real paths of the directories that may be read. */
  readonly roots: readonly string[];
  readonly budget: WorkBudget;
  readonly timeoutMs: number;
  readonly owner: string;
  /** Words on failures in the place of the core's. */
  readonly failureWords: FailureWords | undefined;
  /** Whether a name, relative to the working directory or absolute, belongs to a file. */
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
    ...buildRun(options, defaults),
    ...(urls.length > 0 && { urls }),
  };
}

/** What a request says of how Gemini is run, and of the directory that it looks into. */
export function buildRun(
  { systemPrompt, directory }: RunOptions,
  { workingDirectory, roots }: CallDefaults,
): { readonly settings: RunSettings; readonly directory?: CallDirectory } {
  const settings = { ...plainRunSettings, systemPrompt: systemPrompt ?? null };
  return directory === undefined
    ? { settings }
    : { settings, directory: { path: resolve(workingDirectory, directory), isOptional: false, roots } };
}

type NamesAndPatterns = {
  readonly files: readonly string[];
  readonly globPatterns: readonly string[];
};

/** Brackets alone are part of many a name, such as `app/[id]/page.tsx`. */
const patternSigns = /[*?{]/;

/** Separates names from patterns. A name that looks like a pattern counts as a name if a file has it. */
async function splitEntries(
  entries: readonly string[],
  isFile: (path: string) => Promise<boolean>,
): Promise<NamesAndPatterns> {
  const isPattern = async (entry: string): Promise<boolean> =>
    patternSigns.test(entry) && !(await isFile(entry)) && !(await isFile(parseLineRange(entry)?.path ?? entry));
  const judged = await Promise.all(entries.map(async (entry) => ({ entry, isPattern: await isPattern(entry) })));
  return {
    files: judged.filter((one) => !one.isPattern).map(({ entry }) => entry),
    globPatterns: judged.filter((one) => one.isPattern).map(({ entry }) => entry),
  };
}
