import type { Clock } from '@gemini-mcp/core';
import { member } from './read-pull-request-run.ts';

export type GitHubApiOptions = {
  /** Such as `https://api.github.com`. */
  readonly url: string;
  readonly token: string;
  readonly clock: Clock;
};

export type GitHubReply =
  | { readonly ok: true; readonly body: unknown }
  /** `status` is null if GitHub did not answer. `problem` is a sentence of ours. */
  | { readonly ok: false; readonly status: number | null; readonly problem: string };

type Method = 'GET' | 'POST' | 'PATCH';

const requestTimeoutMs = 30_000;
const maxAttempts = 5;

/** A job that waits longer is better run again. */
const maxWaitMs = 300_000;

/** GitHub lists 3,000 files at most. Twice as many comments are read as well. */
const maxPages = 60;

/** GitHub's REST API. It waits as GitHub asks if requests come too fast, and repeats what may be repeated. */
export class GitHubApi {
  readonly #options: GitHubApiOptions;

  constructor(options: GitHubApiOptions) {
    this.#options = options;
  }

  /** Rejects with `signal.reason` if aborted, and for no other reason. */
  async request(method: Method, path: string, body: object | null, signal: AbortSignal): Promise<GitHubReply> {
    for (let attempt = 1; ; attempt += 1) {
      const sent = await this.#send(method, path, body, signal);
      signal.throwIfAborted();
      const pauseMs = (sent.retryAfterMs ?? Number.POSITIVE_INFINITY) * (sent.isGrowing ? 2 ** (attempt - 1) : 1);
      if (sent.reply.ok || attempt === maxAttempts || pauseMs > maxWaitMs) {
        return sent.reply;
      }
      await this.#options.clock.sleep(pauseMs, signal);
    }
  }

  /** The entries of all pages of a list, in order. */
  async list(path: string, signal: AbortSignal): Promise<GitHubReply & { readonly entries: readonly unknown[] }> {
    const entries: unknown[] = [];
    for (let page = 1; page <= maxPages; page += 1) {
      const reply = await this.request('GET', `${path}?per_page=100&page=${page}`, null, signal);
      if (!reply.ok) {
        return { ...reply, entries };
      }
      const listed: readonly unknown[] = Array.isArray(reply.body) ? reply.body : [];
      entries.push(...listed);
      if (listed.length < 100) {
        return { ok: true, body: null, entries };
      }
    }
    const problem = `GitHub lists more than ${maxPages * 100} entries, and not all of them were read.`;
    return { ok: false, status: null, problem, entries };
  }

  async #send(method: Method, path: string, body: object | null, signal: AbortSignal): Promise<Sent> {
    const { url, token, clock } = this.#options;
    const mayRepeat = method !== 'POST';
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${token}`,
          'user-agent': 'gemini-mcp-server',
          'x-github-api-version': '2022-11-28',
        },
        body: body === null ? null : JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
      });
      const read: unknown = await response.json().catch(() => null);
      return response.ok
        ? { reply: { ok: true, body: read }, retryAfterMs: null, isGrowing: false }
        : refusalOf(response, read, { mayRepeat, nowMs: clock.now() });
    } catch {
      const seconds = requestTimeoutMs / 1_000;
      const doubt = mayRepeat ? '' : ' It may have taken the request all the same.';
      const problem = `GitHub did not answer within ${seconds} seconds, or could not be reached.${doubt}`;
      return { reply: { ok: false, status: null, problem }, retryAfterMs: mayRepeat ? 1_000 : null, isGrowing: true };
    }
  }
}

/** `isGrowing`: whether the pause doubles with each attempt. */
type Sent = { readonly reply: GitHubReply; readonly retryAfterMs: number | null; readonly isGrowing: boolean };

type RefusedRequest = { readonly mayRepeat: boolean; readonly nowMs: number };

function refusalOf({ status, headers }: Response, body: unknown, { mayRepeat, nowMs }: RefusedRequest): Sent {
  const limited = status === 429 || status === 403 ? pauseOf(headers, body, nowMs) : null;
  if (limited !== null) {
    const seconds = Math.ceil(limited.retryAfterMs / 1_000);
    const problem = `GitHub takes no more requests for ${seconds} seconds: its rate limit is reached. Run the job again later.`;
    return { reply: { ok: false, status, problem }, ...limited };
  }
  const problem = refusals[status] ?? `GitHub refused the request with status ${status}.`;
  const retryAfterMs = status >= 500 && mayRepeat ? 1_000 : null;
  return { reply: { ok: false, status, problem }, retryAfterMs, isGrowing: true };
}

type Pause = { readonly retryAfterMs: number; readonly isGrowing: boolean };

/** GitHub documents the pauses: `retry-after`, else `x-ratelimit-reset` if nothing remains, else a minute that grows. Null without a limit. */
function pauseOf(headers: Headers, body: unknown, nowMs: number): Pause | null {
  const retryAfter = headers.get('retry-after');
  if (retryAfter !== null) {
    return { retryAfterMs: Math.max(1_000, Number(retryAfter) * 1_000), isGrowing: false };
  }
  if (headers.get('x-ratelimit-remaining') === '0') {
    const resetMs = Number(headers.get('x-ratelimit-reset')) * 1_000 - nowMs;
    return { retryAfterMs: Math.max(1_000, resetMs), isGrowing: false };
  }
  return /rate limit/i.test(String(member(body, 'message'))) ? { retryAfterMs: 60_000, isGrowing: true } : null;
}

const refusals: Readonly<Record<number, string>> = {
  401: 'GitHub refused the token. Give the step github.token.',
  403: 'The token may not comment. Give the job `permissions: pull-requests: write`; runs for forks have a token that only reads.',
  404: 'GitHub finds no such pull request, or the token may not see it. Give the job `permissions: pull-requests: write`.',
  422: 'GitHub could not process the comments.',
};
