import {
  type AnswerStore,
  type FailureWords,
  failureReason,
  formatAccount,
  type Jobs,
  type Review,
  type ReviewChange,
  type ReviewOpinion,
  type ReviewRequest,
  type ReviewResult,
} from '@gemini-mcp/core';
import {
  describeReviewAsData,
  escapeControls,
  escapeName,
  formatReview,
  parseChange,
  severities,
  titleOf,
  toSarif,
  utf8Length,
} from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { layoutFor } from '../content/result-layout.ts';
import type { JsonObject } from '../input/tool-input.ts';
import type { Tool, ToolContext, ToolOutcome } from '../surface/tool.ts';
import { type ContextArgumentsOptions, contextArguments } from './arguments/context-arguments.ts';
import { backgroundArgument, deliverableText, opinionsArgument } from './arguments/run-arguments.ts';
import { fitAlone, fitText, type LongTexts } from './fit-result.ts';
import { describeAccountAsData } from './present-answer.ts';
import { type ClientFailureWords, failureWordsFor, presentFailure } from './present-failure.ts';
import { type RunPolicy, refuseFiles } from './run-settings-of.ts';
import { geminiReview } from './tool-declarations.ts';
import { type Work, workInBackground, workInForeground } from './work.ts';

const description =
  'Code review by Gemini of your diff, a commit, a branch or a pull request, which the server reads in Git with the files around it. Each finding is checked.';

const descriptions = {
  change: 'working, staged, branch, a commit, a range as main...HEAD, or a patch.',
  workingDirectory: 'The repository.',
  focus: 'What matters most.',
  severity: 'The least to report.',
  format: 'sarif: for code scanning.',
} as const;

export type GeminiReviewToolOptions = ContextArgumentsOptions & {
  readonly reviewChange: Pick<ReviewChange, 'review'>;
  readonly answers: AnswerStore;
  /** As in `ToolsOptions`. */
  readonly pageBytes?: number | null | undefined;
  readonly jobs: Jobs<ToolOutcome>;
  readonly runPolicy: RunPolicy;
  readonly failureWords?: ClientFailureWords | undefined;
};

/** A patch of more characters fills several models' windows. */
const maxChangeCharacters = 4_000_000;

/** Creates the tool `gemini_review`: Gemini reviews a change, and the result has its findings as data. */
export function createGeminiReviewTool(options: GeminiReviewToolOptions): Tool {
  const { model, timeout } = contextArguments(options);
  const input = z.strictObject({
    change: deliverableText(maxChangeCharacters).min(1).default('working').describe(descriptions.change),
    workingDirectory: deliverableText(4_096).min(1).optional().describe(descriptions.workingDirectory),
    focus: deliverableText(10_000).min(1).optional().describe(descriptions.focus),
    severity: z.enum(severities).default('low').describe(descriptions.severity),
    format: z.enum(['text', 'sarif']).default('text').describe(descriptions.format),
    opinions: opinionsArgument(),
    model,
    timeout,
    background: backgroundArgument(),
  });
  const tool: Tool<typeof input> = {
    ...geminiReview,
    description,
    input,
    structuresFreely: true,
    unlisted: ['focus', 'severity', 'format', 'model', 'timeout'],
    run: async (args, context) => refuseFiles(options.runPolicy) ?? (await review(args, options, context)),
  };
  return tool;
}

type ReviewArgs = Pick<ReviewRequest, 'severity'> & {
  readonly change: string;
  readonly workingDirectory?: string | undefined;
  readonly focus?: string | undefined;
  readonly format: 'text' | 'sarif';
  readonly opinions: number;
  readonly model?: string | undefined;
  readonly timeout: number;
  readonly background: boolean;
};

async function review(args: ReviewArgs, options: GeminiReviewToolOptions, context: ToolContext): Promise<ToolOutcome> {
  const { runPolicy, reviewChange, answers, jobs } = options;
  const parsed = parseChange(args.change);
  if (!parsed.ok) {
    const text = `Invalid arguments for ${geminiReview.name}; nothing was done.\n- change: ${parsed.problem}`;
    return { text, isError: true, detail: { type: 'refused', reason: 'invalid-arguments' } };
  }
  const { owner, trace, origin } = context;
  const title = `review: ${titleOf(args.change)}`;
  const failureWords = failureWordsFor(options.failureWords, context);
  const layout = layoutFor(context.clientName, options.pageBytes);
  const directory = runPolicy.resolveDirectory(args.workingDirectory ?? null);
  const request: ReviewRequest = {
    ...{ owner, directory, trace, origin, selection: parsed.selection, severity: args.severity },
    roots: runPolicy.roots ?? [runPolicy.resolveDirectory(null)],
    focus: args.focus ?? null,
    opinions: args.opinions,
    model: args.model ?? null,
    timeoutMs: args.timeout * 1_000,
  };
  const work: Work = async (onProgress, signal) => {
    const result = await reviewChange.review(request, onProgress, signal);
    return present(result, args.format, { answers, owner, title, failureWords, layout });
  };
  const running = { jobs, title, work, failureWords };
  return args.background ? workInBackground(running, context) : workInForeground(running, context);
}

async function present(result: ReviewResult, format: ReviewArgs['format'], longTexts: LongTexts): Promise<ToolOutcome> {
  if (!result.ok) {
    return result.failed === null
      ? {
          text: `Not reviewed: ${escapeControls(result.problem)}`,
          isError: true,
          detail: { type: 'refused', reason: 'not-allowed' },
        }
      : presentFailure(result.failed, { ...longTexts, purpose: 'query' });
  }
  const { review: found, answer } = result;
  const account = accountOf(result, longTexts.failureWords);
  const meta = answer === null ? {} : { meta: describeAccountAsData(answer) };
  if (format === 'sarif') {
    const sarif = toSarif(found, null);
    return { ...(await fitAlone(JSON.stringify(sarif, null, 2), longTexts)), isError: false, ...meta };
  }
  const text = await fitText([formatReview(found), account].filter((part) => part !== '').join('\n\n'), longTexts);
  return { text, isError: false, structured: await asData(found, account, longTexts), ...meta };
}

/** The account of the review, or of each opinion. */
function accountOf(
  { answer, opinions }: Extract<ReviewResult, { readonly ok: true }>,
  words: FailureWords | undefined,
): string {
  if (opinions !== undefined) {
    return opinions.map((opinion) => accountOfOpinion(opinion, words)).join('\n');
  }
  return answer === null ? '' : formatAccount(answer, { words });
}

function accountOfOpinion(opinion: ReviewOpinion, words: FailureWords | undefined): string {
  const { number } = opinion;
  if (!opinion.ok) {
    return `Opinion ${number} is missing: ${failureReason(opinion.failed.failure, words)}.`;
  }
  const { model, modelVersion = model } = opinion.answer;
  return `Opinion ${number} by ${escapeName(modelVersion)}\n${formatAccount(opinion.answer, { words })}`.trimEnd();
}

/** Some clients show their model only this. What does not fit is read by its handle. */
async function asData(found: Review, account: string, longTexts: LongTexts): Promise<JsonObject> {
  const whole = { ...describeReviewAsData(found), account };
  const { text: note } = await fitAlone(JSON.stringify(whole, null, 2), longTexts);
  if (note === '') {
    return whole;
  }
  const shorter = {
    ...whole,
    findings: [...whole.findings],
    notReviewed: whole.notReviewed.slice(0, 50),
    related: [],
    note,
  };
  while (shorter.findings.length > 0 && utf8Length(JSON.stringify(shorter)) > maxDataBytes) {
    shorter.findings.pop();
  }
  return shorter;
}

const maxDataBytes = 35_000;
