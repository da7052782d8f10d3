import type { Finding, Review } from '@gemini-mcp/core';
import { countOf, escapeControls, escapeName } from '@gemini-mcp/core/internal';
import type { ReviewEnd } from '../run-review.ts';
import { member, type PullRequestRun } from './read-pull-request-run.ts';

export const summaryMark = 'summary';

const mark = /^<!-- gemini-mcp-server review ([0-9a-z]+) -->/;

function markOf(id: string): string {
  return `<!-- gemini-mcp-server review ${id} -->`;
}

/**
 * The mark of a comment that an earlier run wrote; null for any other comment. Others could write a mark to hide a finding. `login` is the user of the
 * token; null for a token of a bot, which GitHub does not name.
 */
export function ownMark(comment: unknown, login: string | null): string | null {
  const user = member(comment, 'user');
  const isOwn = login === null ? member(user, 'type') === 'Bot' : member(user, 'login') === login;
  return (isOwn && mark.exec(String(member(comment, 'body')))?.[1]) || null;
}

/** GitHub refuses longer comments. */
const maxCommentCharacters = 60_000;

/** The comment on the lines of a finding. */
export function findingComment(finding: Finding, id: string): string {
  const { severity, category, confidence, title, why, repair } = finding;
  return [
    markOf(id),
    `**${severity} ${category}** (confidence ${confidence}): ${plain(title)}`,
    plain(why),
    ...(repair === null ? [] : ['A repair that applies:', fenced(repair, 'diff')]),
    '*By Gemini. The evidence is checked, the judgement is not.*',
  ].join('\n\n');
}

export type SummaryParts = {
  readonly run: Pick<PullRequestRun, 'headSha'>;
  readonly end: Extract<ReviewEnd, { readonly ok: true }>;
  readonly account: string;
  /** Findings with a comment of their own. */
  readonly commented: ReadonlySet<Finding>;
};

/** The summary of a review as Markdown, with the findings that have no comment of their own. */
export function summaryComment({ run, end: { review }, account, commented }: SummaryParts): string {
  const others = review.findings.filter((finding) => !commented.has(finding));
  const head = [
    markOf(summaryMark),
    `### Gemini's review of ${run.headSha.slice(0, 10)}`,
    headline(review, commented.size),
    ...(review.summary === '' ? [] : [plain(review.summary)]),
  ].join('\n\n');
  const tail = [...leftOut(review), ...(account === '' ? [] : [details('Models and tokens', account)])].join('\n\n');
  return `${head}\n\n${fit(others.map(entryOf), maxCommentCharacters - head.length - tail.length)}\n\n${tail}`.trimEnd();
}

function headline({ findings, reviewed, reviewedAsDiff, dropped }: Review, commented: number): string {
  const files = countOf(reviewed.length + reviewedAsDiff.length, 'file');
  const known = dropped.known === 0 ? '' : ` ${dropped.known} more are in the baseline.`;
  const verified = findings.filter(({ isVerified }) => isVerified).length;
  return findings.length === 0
    ? `No findings in ${files}.${known}`
    : `${countOf(findings.length, 'finding')} (${verified} verified) in ${files}, ${commented} of them in comments on their lines.${known}`;
}

function entryOf({ severity, category, isVerified, path, lines, title, why }: Finding): string {
  const state = isVerified ? '' : ', not verified';
  const line = lines === null ? '' : `:${lines.first}`;
  return `- **${severity} ${category}${state}**, ${code(`${path}${line}`)}: ${plain(title)}\n\n  ${plain(why).replaceAll('\n', '\n  ')}`;
}

function fit(entries: readonly string[], room: number): string {
  const kept: string[] = [];
  let left = room - 200;
  for (const entry of entries) {
    left -= entry.length + 1;
    if (left < 0) {
      return [...kept, `- and ${entries.length - kept.length} more, in the log of the run`].join('\n');
    }
    kept.push(entry);
  }
  return kept.join('\n');
}

const shownFiles = 50;

function leftOut({ notReviewed }: Review): readonly string[] {
  if (notReviewed.length === 0) {
    return [];
  }
  const lines = notReviewed.slice(0, shownFiles).map(({ path, reason }) => `${escapeName(path)}: ${reason}`);
  const more = notReviewed.length > shownFiles ? [`and ${notReviewed.length - shownFiles} more`] : [];
  return [details(`Not reviewed: ${countOf(notReviewed.length, 'file')}`, [...lines, ...more].join('\n'))];
}

function details(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${fenced(text.slice(0, 10_000), '')}\n\n</details>`;
}

const zeroWidthSpace = '\u200B';

/**
 * Text of strangers that GitHub shows letter by letter: no markup, no HTML, no link, and no mention of a user, an issue or a commit, which would notify
 * people or leave a trace elsewhere.
 */
export function plain(text: string): string {
  return escapeControls(text)
    .replace(/[\\`*_{}[\]()~|!>#+-]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/@|#(?=\d)|\bGH(?=\\-)|:(?=\/\/)|\bwww(?=\.)|\b[0-9a-f]{7}(?=[0-9a-f]*\b)/gi, `$&${zeroWidthSpace}`);
}

function code(text: string): string {
  return fence(escapeName(text), 1, (ticks, inner) => `${ticks} ${inner} ${ticks}`);
}

function fenced(text: string, language: string): string {
  return fence(escapeControls(text), 3, (ticks, inner) => `${ticks}${language}\n${inner.trimEnd()}\n${ticks}`);
}

/** Longer than any run of backticks in the text. */
function fence(text: string, least: number, build: (ticks: string, inner: string) => string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return build('`'.repeat(Math.max(least, longest + 1)), text);
}
