import type { AskAnswer, AskFailure, AskResult } from '../answers/ask-result.ts';
import { failBeforeRun } from '../answers/ask-result.ts';
import { addUsage } from '../ask-gemini/add-usage.ts';
import { type AskProgress, type AskRequest, type OnProgress, withoutFiles } from '../ask-gemini/ask-request.ts';
import { estimateTextTokens } from '../ask-gemini/estimate-text-tokens.ts';
import type { BoundaryOf } from '../context/boundary.ts';
import type { AskForJson } from '../json-answer/ask-for-json.ts';
import type { ChangeReader, FileDiff, OpenedChange, UnreadReason } from '../ports/change-reader.ts';
import type { Clock } from '../ports/clock.ts';
import { countOf, formatCount } from '../text/format-count.ts';
import { checkFinding, type ReviewedFile } from './check-finding.ts';
import { chooseRelated, type RelatedFile, type RelatedFiles } from './choose-related.ts';
import type { Finding } from './finding.ts';
import { findingsForm, readFindings } from './findings-form.ts';
import { machineMade } from './machine-made.ts';
import { orderFindings } from './order-findings.ts';
import { parsePatch } from './parse-patch.ts';
import { type PlannedFile, partCharacters, planReview, type ReviewPlan } from './plan-review.ts';
import type { NotReviewed, Review, ReviewEstimate, ReviewRequest, ReviewResult } from './review.ts';
import { buildReviewMessage, type ReviewMessage } from './review-prompt.ts';

export type ReviewChangeOptions = {
  readonly clock: Clock;
  readonly askForJson: Pick<AskForJson, 'ask'>;
  readonly changes: ChangeReader;
  readonly boundaryOf: BoundaryOf;
};

/** Unchanged files take at most this much of a part. */
const relatedCharacters = 120_000;

const unreadTexts: Readonly<Record<UnreadReason, string>> = {
  sensitive: 'looks like a secret, and was not read',
  'outside-roots': 'outside the allowed directories',
  binary: 'binary, or over 1 MB',
  'not-utf8': 'not UTF-8 text',
  'too-large': 'over 1 MB',
  submodule: 'another repository',
  unmerged: 'in conflict: resolve it first',
  'no-lines': 'no line changed: only its name, mode or line ends',
  unreadable: 'could not be read',
  'over-limit': 'over the limit of one review: review a smaller change',
};

/** A review that has its files. */
type Prepared = {
  readonly request: ReviewRequest;
  readonly deadlineAtMs: number;
  readonly title: string;
  readonly plan: ReviewPlan;
  readonly notReviewed: readonly NotReviewed[];
  readonly related: readonly RelatedFiles[];
};

/** What one question brought. */
type Asked =
  | { readonly ok: true; readonly answer: AskAnswer; readonly value: unknown; readonly files: readonly PlannedFile[] }
  | { readonly ok: false; readonly failed: AskFailure; readonly files: readonly PlannedFile[] };

/** Has Gemini review a change, and checks what it says against the files. */
export class ReviewChange {
  readonly #options: ReviewChangeOptions;

  constructor(options: ReviewChangeOptions) {
    this.#options = options;
  }

  /**
   * Resolves to the review, or to the failure; never rejects because of Gemini, Git or a file. A part whose question fails is listed as not
   * reviewed, and the others count; if all fail, so does the review. An abort of `signal` resolves to a `cancelled` failure.
   */
  async review(request: ReviewRequest, onProgress: OnProgress, signal: AbortSignal): Promise<ReviewResult> {
    const deadlineAtMs = this.#options.clock.now() + request.timeoutMs;
    try {
      const { selection, directory, roots } = request;
      onProgress({ type: 'status', text: 'Reading the change' });
      const read = await this.#options.changes.read({ selection, directory, roots, deadlineAtMs }, signal);
      if (!read.ok) {
        return { ok: false, failed: null, problem: read.problem };
      }
      const prepared = await prepare(read.change, { request, deadlineAtMs }, signal).finally(() => read.change.close());
      return await this.#ask(prepared, onProgress, signal);
    } catch (error) {
      if (signal.aborted) {
        return { ok: false, failed: failBeforeRun(request, { kind: 'cancelled' }) };
      }
      throw error;
    }
  }

  async #ask(prepared: Prepared, onProgress: OnProgress, signal: AbortSignal): Promise<ReviewResult> {
    const { plan, related } = prepared;
    if (plan.parts.length === 0) {
      return { ok: true, review: describe(prepared, [[]]), answer: null };
    }
    const questions = plan.parts.map(({ files }, index) => {
      const part = plan.parts.length === 1 ? null : `${index + 1} of ${plan.parts.length}`;
      return this.#question(prepared, { files, related: related[index]?.files ?? [], part, found: null });
    });
    const { opinions: count = 1 } = prepared.request;
    const estimate = estimateOf(questions, count);
    onProgress({ type: 'status', text: planLine(estimate) });
    const problem = prepared.request.approve?.(estimate) ?? null;
    if (problem !== null) {
      return { ok: false, failed: null, problem };
    }
    const told = withoutText(onProgress);
    const byOpinion = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const opinion = count === 1 ? undefined : { index, count };
        return this.#askAll({ ...prepared, opinion }, questions, told, signal);
      }),
    );
    return conclude(prepared, byOpinion);
  }

  /** The questions of one opinion. */
  async #askAll(
    prepared: PreparedOpinion,
    questions: readonly Question[],
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<readonly Asked[]> {
    const asked = await Promise.all(questions.map((question) => this.#askOne(prepared, question, onProgress, signal)));
    const findings = asked.flatMap((one) => findingsOf(one, prepared.plan));
    return [...asked, ...(await this.#lookAtWhole(prepared, { asked, findings }, onProgress, signal))];
  }

  /** After several parts, one question about their diffs together: as many as fit. */
  async #lookAtWhole(
    prepared: PreparedOpinion,
    { asked, findings }: { readonly asked: readonly Asked[]; readonly findings: readonly Finding[] },
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<readonly Asked[]> {
    if (asked.length < 2 || asked.every(({ ok }) => !ok)) {
      return [];
    }
    const files = fitDiffs(prepared.plan.parts.flatMap((part) => part.files));
    onProgress({ type: 'status', text: `Looking at the ${countOf(files.length, 'diff')} as a whole` });
    const question = this.#question(prepared, { files, related: [], part: null, found: findings });
    return [await this.#askOne(prepared, question, onProgress, signal)];
  }

  async #askOne(
    prepared: PreparedOpinion,
    { files, prompt }: Question,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<Asked> {
    const { owner, model, timeoutMs, trace, origin } = prepared.request;
    const left = prepared.deadlineAtMs - this.#options.clock.now();
    if (left <= 0) {
      return { ok: false, failed: failBeforeRun({ timeoutMs }, { kind: 'timeout' }), files };
    }
    const { opinion } = prepared;
    const request = { ...withoutFiles, owner, prompt, model, opinion, timeoutMs: left, trace, origin };
    return { ...(await this.#options.askForJson.ask(request, findingsForm, onProgress, signal)), files };
  }

  #question({ request: { owner, severity, focus } }: Prepared, part: Part): Question {
    const { boundaryOf } = this.#options;
    return { files: part.files, prompt: buildReviewMessage({ ...part, owner, severity, focus, boundaryOf }) };
  }
}

type Part = Pick<ReviewMessage, 'files' | 'related' | 'part' | 'found'>;

/** A review that has its files, and which of several opinions it gets. */
type PreparedOpinion = Prepared & Pick<AskRequest, 'opinion'>;

type Question = { readonly files: readonly PlannedFile[]; readonly prompt: string };

async function prepare(
  change: OpenedChange,
  { request, deadlineAtMs }: Pick<Prepared, 'request' | 'deadlineAtMs'>,
  signal: AbortSignal,
): Promise<Prepared> {
  const sorted = change.files.map(sortFile);
  const plan = planReview(sorted.flatMap(({ file }) => file ?? []));
  const notReviewed = [
    ...change.unread.map(({ path, reason }) => ({ path, reason: unreadTexts[reason] })),
    ...sorted.flatMap(({ leftOut }) => leftOut ?? []),
    ...plan.overLimit.map((path) => ({ path, reason: unreadTexts['over-limit'] })),
  ];
  const related: RelatedFiles[] = [];
  for (const { files } of plan.parts) {
    related.push(await chooseRelated(change, files, { maxCharacters: relatedCharacters }, signal));
  }
  return { request, deadlineAtMs, title: change.title, plan, notReviewed, related };
}

type SortedFile = { readonly file: ReviewedFile | null; readonly leftOut: NotReviewed | null };

function sortFile({ path, patch, text }: FileDiff): SortedFile {
  const made = machineMade(path, text);
  const parsed = made === null ? parsePatch(patch) : null;
  const [file] = parsed?.ok === true ? parsed.files : [];
  if (file === undefined) {
    return { file: null, leftOut: { path, reason: made ?? unreadTexts.unreadable } };
  }
  return { file: { ...file, path, after: text?.replaceAll('\r\n', '\n') ?? null }, leftOut: null };
}

/** Several parts bring one more question, about their diffs together. Each opinion takes all questions. */
function estimateOf(questions: readonly Question[], opinions: number): ReviewEstimate {
  const files = questions.flatMap((question) => question.files);
  const together = questions.length === 1 ? [] : [fitDiffs(files).reduce((sum, { text }) => sum + text, '')];
  const texts = [...questions.map(({ prompt }) => prompt), ...together];
  const inputTokens = texts.reduce((sum, text) => sum + estimateTextTokens(text), 0);
  return {
    files: files.length,
    questions: opinions * texts.length,
    inputTokens: Math.round(opinions * inputTokens),
  };
}

function planLine({ files, questions, inputTokens }: ReviewEstimate): string {
  const asked = questions === 1 ? 'in one question' : `in ${questions} questions`;
  return `Reviewing ${countOf(files, 'file')} ${asked}, about ${formatCount(inputTokens)} tokens`;
}

/** The text of an answer is JSON, not for readers. */
function withoutText(onProgress: OnProgress): OnProgress {
  return (progress: AskProgress) => {
    if (progress.type !== 'text') {
      onProgress(progress);
    }
  };
}

function fitDiffs(files: readonly PlannedFile[]): readonly PlannedFile[] {
  let room = 2 * partCharacters;
  return files.flatMap((file) => {
    room -= file.text.length;
    return room < 0 ? [] : [{ ...file, isWhole: false }];
  });
}

function findingsOf(asked: Asked, { parts }: ReviewPlan): readonly Finding[] {
  const files = new Map(parts.flatMap((part) => part.files.map((file) => [file.path, file] as const)));
  return asked.ok ? readFindings(asked.value).findings.map((raw) => checkFinding(raw, files)) : [];
}

function conclude(prepared: Prepared, byOpinion: readonly (readonly Asked[])[]): ReviewResult {
  const asked = byOpinion.flat();
  const cancelled = failBeforeRun(prepared.request, { kind: 'cancelled' });
  const isCancelled = asked.some((one) => !one.ok && one.failed.failure.kind === 'cancelled');
  const account = accountOf(asked);
  if (!account.ok || isCancelled) {
    return { ok: false, failed: account.ok ? cancelled : account.failed };
  }
  const opinions = byOpinion.map((ofOne, index) => ({ ...accountOf(ofOne), number: index + 1 }));
  return {
    ok: true,
    review: describe(prepared, byOpinion),
    answer: account.answer,
    ...(opinions.length > 1 && { opinions }),
  };
}

/** The account of several questions, or the first failure if all of them failed. */
function accountOf(asked: readonly Asked[]): AskResult {
  const answers = asked.flatMap((one) => (one.ok ? [one.answer] : []));
  const failures = asked.flatMap((one) => (one.ok ? [] : [one.failed]));
  const last = answers.at(-1);
  if (last === undefined) {
    return { ok: false, failed: failures[0] ?? failBeforeRun({ timeoutMs: 0 }, { kind: 'cancelled' }) };
  }
  const attempts = [...answers, ...failures].flatMap((one) => one.attempts);
  const usage = addUsage(answers.flatMap((answer) => answer.usage));
  const notices = [...new Set(answers.flatMap((answer) => answer.notices ?? []))];
  return { ok: true, answer: { ...last, text: '', attempts, usage, notices } };
}

function describe(
  { title, plan, related, notReviewed, request }: Prepared,
  byOpinion: readonly (readonly Asked[])[],
): Review {
  const asked = byOpinion.flat();
  const failures = asked.flatMap((one) => (one.ok ? [] : [one]));
  const answered = asked.flatMap((one) => (one.ok ? [readFindings(one.value)] : []));
  const { findings, lessSevere, repeated, known } = orderFindings(
    byOpinion.map((ofOne) => ofOne.flatMap((one) => findingsOf(one, plan))),
    { least: request.severity, known: request.known ?? new Set() },
  );
  const seen = asked.flatMap((one) => (one.ok ? one.files : [])).filter((file) => file.isWhole);
  const reviewed = new Set(seen.map(({ path }) => path));
  const asDiff = asked.flatMap((one) => (one.ok ? one.files : [])).filter(({ path }) => !reviewed.has(path));
  const reviewedAsDiff = [...new Set(asDiff.map(({ path }) => path))];
  const failed = failures.flatMap(({ files, failed: { failure } }) =>
    files.flatMap(({ path }) =>
      reviewed.has(path) || reviewedAsDiff.includes(path)
        ? []
        : [{ path, reason: `Gemini did not answer (${failure.kind})` }],
    ),
  );
  return {
    title,
    findings,
    summary: answered
      .map(({ summary }) => summary.trim())
      .filter((text) => text !== '')
      .join('\n'),
    reviewed: [...reviewed],
    reviewedAsDiff,
    notReviewed: [...notReviewed, ...failed],
    related: [...new Set(related.flatMap(({ files }: RelatedFiles) => files.map(({ path }: RelatedFile) => path)))],
    hasAllImporters: related.every((one) => one.hasAllImporters),
    relatedOmitted: related.reduce((sum, { omitted }) => sum + omitted, 0),
    parts: asked.length,
    ...(byOpinion.length > 1 && { opinions: byOpinion.filter((ofOne) => ofOne.some(({ ok }) => ok)).length }),
    dropped: { lessSevere, repeated, known, unusable: answered.reduce((sum, { unusable }) => sum + unusable, 0) },
  };
}
