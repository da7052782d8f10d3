import { createHash, randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import type { Finding } from '@gemini-mcp/core';
import { countOf, escapeControls, formatReview } from '@gemini-mcp/core/internal';
import type { CommandResult } from '../../command-line/run-command.ts';
import {
  accountOf,
  exitCodeOf,
  notReviewedExitCode,
  presentReview,
  type ReviewEnd,
  type ReviewRun,
  runReview,
} from '../run-review.ts';
import { findingComment, ownMark, summaryComment, summaryMark } from './comment-text.ts';
import { commentableLines, type LinesOfDiff, placeComment } from './commentable-lines.ts';
import type { GitHubApi, GitHubReply } from './github-api.ts';
import { member, type PullRequestRun } from './read-pull-request-run.ts';

export type PullRequestReview = ReviewRun & { readonly run: PullRequestRun; readonly api: GitHubApi };

/** A reader gets through no more at once. The others are in the summary. */
const maxComments = 20;

/**
 * Reviews a pull request and posts the findings: new ones as comments on their lines, in one review, and all in one summary, which later runs update.
 * Posts nothing once a newer push has come. Rejects with `signal.reason` if aborted.
 */
export async function reviewPullRequest(review: PullRequestReview, signal: AbortSignal): Promise<CommandResult> {
  const { run, mode } = review;
  const before = await findObstacle(review, signal);
  if (before !== null) {
    return before;
  }
  const { baseSha: from, headSha: to } = run;
  const change = mode.change ?? { type: 'range' as const, from, to, fromMergeBase: true };
  const end = await runReview({ ...review, mode: { ...mode, change } }, signal);
  if (!end.ok) {
    return presentReview(end, review);
  }
  // A newer push may have come meanwhile.
  const after = await findObstacle(review, signal);
  if (after !== null) {
    return after;
  }
  const output = guarded(`${formatReview(end.review)}\n`);
  const posted = await post(review, end, signal);
  if (posted.ok) {
    return { output, note: `${accountOf(end)}\n`, exitCode: exitCodeOf(end.review, mode) };
  }
  const replaced = posted.status === 422 ? await findObstacle(review, signal) : null;
  if (replaced !== null) {
    return replaced;
  }
  const isReadOnly = run.isFromFork && posted.status === 403;
  return {
    output,
    note: `Not posted: ${posted.problem} The findings are in the log and in the summary of this run.\n`,
    exitCode: isReadOnly ? exitCodeOf(end.review, mode) : notReviewedExitCode,
  };
}

/** The result of a run that need not, or cannot, go on; null if it can. */
async function findObstacle({ api, run }: PullRequestReview, signal: AbortSignal): Promise<CommandResult | null> {
  const reply = await api.request('GET', pathOf(run), null, signal);
  if (!reply.ok) {
    return { output: '', note: `Not reviewed: ${reply.problem}\n`, exitCode: notReviewedExitCode };
  }
  const isCurrent = member(member(reply.body, 'head'), 'sha') === run.headSha;
  if (isCurrent && member(reply.body, 'state') === 'open') {
    return null;
  }
  const note = isCurrent
    ? 'The pull request is no longer open: nothing is posted.\n'
    : `A newer push has replaced ${run.headSha.slice(0, 10)}: its own run reviews it, and this one posts nothing.\n`;
  return { output: '', note, exitCode: 0 };
}

function pathOf({ repository, number }: PullRequestRun): string {
  return `/repos/${repository}/pulls/${number}`;
}

/** If GitHub takes no comments on lines, the summary has them all. */
async function post(
  { run, api, tell }: PullRequestReview,
  end: Extract<ReviewEnd, { readonly ok: true }>,
  signal: AbortSignal,
): Promise<GitHubReply> {
  const login = await loginOf(api, signal);
  const files = await api.list(`${pathOf(run)}/files`, signal);
  const earlier = await api.list(`${pathOf(run)}/comments`, signal);
  if (!files.ok || !earlier.ok) {
    await writeSummary(run, summaryComment({ run, end, account: accountOf(end), commented: new Set() }));
    return files.ok ? earlier : files;
  }
  const { comments, commented } = chooseComments(end.review.findings, {
    lines: commentableLines(files.entries),
    posted: new Set(earlier.entries.flatMap((comment) => ownMark(comment, login) ?? [])),
  });
  const sent = await sendComments({ run, api }, comments, signal);
  const body = summaryComment({ run, end, account: accountOf(end), commented: sent.ok ? commented : new Set() });
  await writeSummary(run, body);
  if (!sent.ok && (sent.status !== 422 || (await isReplaced({ run, api }, signal)))) {
    return sent;
  }
  if (!sent.ok) {
    tell('GitHub took no comments on the lines: the summary has all findings.');
  }
  return updateSummary({ run, api, login }, body, signal);
}

async function isReplaced({ run, api }: Target, signal: AbortSignal): Promise<boolean> {
  const reply = await api.request('GET', pathOf(run), null, signal);
  return !reply.ok || member(member(reply.body, 'head'), 'sha') !== run.headSha;
}

type Posted = { readonly comments: readonly object[]; readonly commented: ReadonlySet<Finding> };

/** Verified findings on lines of the diff, without those that an earlier run has commented on: these count as commented. */
function chooseComments(
  findings: readonly Finding[],
  { lines, posted }: { readonly lines: LinesOfDiff; readonly posted: ReadonlySet<string> },
): Posted {
  const comments: object[] = [];
  const commented = new Set<Finding>();
  for (const finding of findings.filter(({ isVerified }) => isVerified)) {
    const place = placeComment(finding, lines);
    const id = createHash('sha256').update(finding.fingerprint).digest('hex').slice(0, 32);
    if (posted.has(id)) {
      commented.add(finding);
    } else if (place !== null && comments.length < maxComments) {
      comments.push({ ...place, body: findingComment(finding, id) });
      commented.add(finding);
    }
  }
  return { comments, commented };
}

/** The user of the token; null for a bot's token, which may not ask. */
async function loginOf(api: GitHubApi, signal: AbortSignal): Promise<string | null> {
  const reply = await api.request('GET', '/user', null, signal);
  const login = reply.ok ? member(reply.body, 'login') : null;
  return typeof login === 'string' ? login : null;
}

type Target = Pick<PullRequestReview, 'run' | 'api'>;

async function sendComments(
  { run, api }: Target,
  comments: readonly object[],
  signal: AbortSignal,
): Promise<GitHubReply> {
  if (comments.length === 0) {
    return { ok: true, body: null };
  }
  const body = `Gemini comments on ${countOf(comments.length, 'place')}. The summary is in a comment of its own.`;
  const review = { commit_id: run.headSha, event: 'COMMENT', body, comments };
  return api.request('POST', `${pathOf(run)}/reviews`, review, signal);
}

/** Changes the summary of an earlier run, so that each pull request has one. */
async function updateSummary(
  { run, api, login }: Target & { readonly login: string | null },
  body: string,
  signal: AbortSignal,
): Promise<GitHubReply> {
  const issues = `/repos/${run.repository}/issues`;
  const listed = await api.list(`${issues}/${run.number}/comments`, signal);
  if (!listed.ok) {
    return listed;
  }
  const mine = listed.entries.find((comment) => ownMark(comment, login) === summaryMark);
  const id = member(mine, 'id');
  return typeof id === 'number'
    ? api.request('PATCH', `${issues}/comments/${id}`, { body }, signal)
    : api.request('POST', `${issues}/${run.number}/comments`, { body }, signal);
}

/** The page of the run shows it, also if nothing can be posted. */
async function writeSummary({ summaryFile }: PullRequestRun, text: string): Promise<void> {
  if (summaryFile !== null) {
    await appendFile(summaryFile, `${text}\n`).catch(() => undefined);
  }
}

/** Text for a log of GitHub Actions, which takes some lines for commands: only a random word ends the pause. */
function guarded(text: string): string {
  const word = randomBytes(32).toString('hex');
  return `::stop-commands::${word}\n${escapeControls(text)}::${word}::\n`;
}
