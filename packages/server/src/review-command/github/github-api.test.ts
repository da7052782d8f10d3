import { FakeClock } from '@gemini-mcp/core/testing';
import { type GitHubFault, OfflineGitHub } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitHubApi } from './github-api.ts';

let github: OfflineGitHub;
let api: GitHubApi;
let pauses: number[];

beforeEach(async () => {
  github = await OfflineGitHub.start({ baseSha: 'a'.repeat(40), headSha: 'b'.repeat(40), files: [] });
  pauses = [];
  const clock = new FakeClock();
  const sleep = async (ms: number): Promise<void> => {
    pauses.push(ms);
    clock.advance(ms);
  };
  api = new GitHubApi({ url: github.url, token: github.token, clock: { now: () => clock.now(), sleep } });
});
afterEach(() => github.close());

const path = '/repos/ada/project/pulls/7';
const never = new AbortController().signal;

/** Each of these once, then the usual replies. */
const faults = (...given: readonly ReturnType<GitHubFault>[]): GitHubFault => {
  const left = [...given];
  return () => left.shift() ?? null;
};

const limited = (headers: Record<string, string>, status = 403, message = 'API rate limit exceeded') => ({
  status,
  headers,
  body: { message },
});

describe('a request', () => {
  it('is one of the version that GitHub documents, with the token', async () => {
    expect(await api.request('GET', path, null, never)).toMatchObject({ ok: true, body: { number: 7 } });
    expect(github.requests[0]?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${github.token}`,
      'x-github-api-version': '2022-11-28',
    });
  });

  it.each([
    [
      'as long as retry-after says',
      [limited({ 'retry-after': '7' }, 429), limited({ 'retry-after': '3' })],
      [7_000, 3_000],
    ],
    ['until x-ratelimit-reset', [limited({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'RESET' })], [90_000]],
    [
      'a minute, then two',
      [limited({}, 403, 'You have exceeded a secondary rate limit.'), limited({}, 429, 'secondary rate limit')],
      [60_000, 120_000],
    ],
  ])('waits at a rate limit %s', async (_, replies, expected) => {
    const reset = String(new FakeClock().now() / 1_000 + 90);
    const told = replies.map((reply) => JSON.parse(JSON.stringify(reply).replace('RESET', reset)));
    github.fault = faults(...told);
    expect(await api.request('POST', `/repos/ada/project/issues/7/comments`, { body: 'Hi' }, never)).toMatchObject({
      ok: true,
    });
    expect(pauses).toEqual(expected);
    expect(github.pull.comments).toHaveLength(1);
  });

  it('does not wait for an hour, and says when to come back', async () => {
    github.fault = () => limited({ 'retry-after': '3600' });
    expect(await api.request('GET', path, null, never)).toEqual({
      ok: false,
      status: 403,
      problem: 'GitHub takes no more requests for 3600 seconds: its rate limit is reached. Run the job again later.',
    });
    expect(pauses).toEqual([]);
  });

  it('gives up after five attempts', async () => {
    github.fault = () => ({ status: 502, body: {} });
    expect(await api.request('GET', path, null, never)).toMatchObject({ ok: false, status: 502 });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it('is not repeated if it may have been taken: a comment would be there twice', async () => {
    github.fault = () => ({ status: 502, body: {} });
    expect(await api.request('POST', `${path}/reviews`, {}, never)).toMatchObject({ ok: false, status: 502 });
    expect(github.requests).toHaveLength(1);
  });

  it.each([
    [401, 'GitHub refused the token.'],
    [403, 'The token may not comment.'],
    [404, 'GitHub finds no such pull request'],
  ])('with status %i says what to do, at once', async (status, problem) => {
    github.fault = () => ({ status, body: { message: 'Resource not accessible by integration' } });
    expect(await api.request('GET', path, null, never)).toMatchObject({ problem: expect.stringContaining(problem) });
    expect(pauses).toEqual([]);
  });

  it('that GitHub cannot take says so', async () => {
    await github.close();
    expect(await api.request('POST', `${path}/reviews`, {}, never)).toEqual({
      ok: false,
      status: null,
      problem: expect.stringMatching(/^GitHub did not answer within 30 seconds, .* taken the request all the same\.$/),
    });
  });

  it('ends with the signal', async () => {
    const abort = new AbortController();
    const reason = new Error('The job was cancelled.');
    github.fault = () => {
      abort.abort(reason);
      return 'hangs';
    };
    await expect(api.request('GET', path, null, abort.signal)).rejects.toBe(reason);
  });
});

it('reads every page of a list', async () => {
  const files = Array.from({ length: 250 }, (_, index) => ({ filename: `${index}.ts` }));
  github.pull.files = files;
  const { entries } = await api.list(`${path}/files`, never);
  expect(entries.map((file) => (file as { filename: string }).filename)).toEqual(files.map(({ filename }) => filename));
});
