import { readFile } from 'node:fs/promises';
import type { SettingsEnvironment } from '../../settings/setting.ts';
import { ConfigurationError } from '../../settings/setting.ts';

/** The pull request that a workflow of GitHub Actions runs for. */
export type PullRequestRun = {
  /** As `owner/name`. */
  readonly repository: string;
  readonly number: number;
  /** Ids of commits. */
  readonly baseSha: string;
  readonly headSha: string;
  readonly isFromFork: boolean;
  /** Receives the summary as Markdown; null if the runner has no such file. */
  readonly summaryFile: string | null;
  readonly access: { readonly url: string; readonly token: string };
};

const usage = 'Use it in a workflow of GitHub Actions on pull_request, as docs/review.md shows.';

/**
 * Reads the run from the variables of the runner and its event. Resolves to `skipped`, a sentence, if nothing is to be reviewed. Rejects with a
 * `ConfigurationError` outside such a workflow.
 */
export async function readPullRequestRun(
  environment: SettingsEnvironment,
): Promise<PullRequestRun | { readonly skipped: string }> {
  const { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path = '', GITHUB_REPOSITORY: repository = '' } = environment;
  if (name === 'pull_request_target') {
    throw new ConfigurationError(
      '--post: pull_request_target gives the secrets of the repository to runs on code of forks. Use pull_request.',
    );
  }
  const event = await readEvent(path);
  const pull = member(event, 'pull_request');
  const [number, baseSha, headSha] = [member(pull, 'number'), shaOf(pull, 'base'), shaOf(pull, 'head')];
  const isRepository = /^[\w.-]+\/[\w.-]+$/.test(repository);
  if (name !== 'pull_request' || !isRepository || typeof number !== 'number' || baseSha === null || headSha === null) {
    throw new ConfigurationError(`--post: this is no run for a pull request. ${usage}`);
  }
  if (member(pull, 'draft') === true) {
    return { skipped: 'The pull request is a draft. It is reviewed once it is ready.' };
  }
  const token = environment['GITHUB_TOKEN']?.trim();
  if (!token) {
    throw new ConfigurationError(`--post: GITHUB_TOKEN is not set. ${usage}`);
  }
  const url = environment['GITHUB_API_URL'] || 'https://api.github.com';
  const summaryFile = environment['GITHUB_STEP_SUMMARY'] || null;
  const isFromFork = member(member(member(pull, 'head'), 'repo'), 'full_name') !== repository;
  return { repository, number, baseSha, headSha, isFromFork, summaryFile, access: { url, token } };
}

async function readEvent(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}

function shaOf(pull: unknown, side: 'base' | 'head'): string | null {
  const sha = member(member(pull, side), 'sha');
  return typeof sha === 'string' && /^[0-9a-f]{40,64}$/.test(sha) ? sha : null;
}

/** A member of a JSON value; undefined if missing. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
