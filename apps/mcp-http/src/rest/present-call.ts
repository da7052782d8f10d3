import type { ToolDetail, ToolOutcome } from '@gemini-mcp/mcp';
import type { Account, AnswerBody, CallBody, FurtherParts, JobBody } from './call-schemas.ts';
import { presentAttempt, presentProblem } from './present-problem.ts';

type AnswerDetail = Extract<ToolDetail, { type: 'answer' }>;
type JobDetail = Extract<ToolDetail, { type: 'job' }>;

/** What a call is answered with. Null for one that failed. A job that failed is reported, which is no failure of the call. */
export function presentCall(outcome: ToolOutcome): CallBody | null {
  const { answer, text, isError, detail } = outcome;
  if (detail?.type === 'job') {
    return presentJob(outcome, detail);
  }
  if (isError) {
    return null;
  }
  const body =
    detail?.type === 'answer'
      ? presentAnswer(detail)
      : ({ type: 'text', ...(answer !== undefined && { answer }), text } as const);
  return { ...body, ...furtherParts(outcome) };
}

/** An answer whole: a program reads it, and no window is too small for it. */
export function wholeAnswer({ answer, report }: AnswerDetail): string {
  return report === undefined ? answer.text : JSON.stringify(report, null, 2);
}

/** How an answer came about. */
export function presentAccount({ answer, account: text, conversation, work }: AnswerDetail): Account {
  const { model, usage, attempts, context, notices, ending, modelVersion, pages, carriedBy } = answer;
  return {
    text,
    model,
    usage,
    attempts: attempts.map(presentAttempt),
    ...(context !== null && { context }),
    ...(ending !== undefined && { ending }),
    ...(modelVersion !== undefined && { modelVersion }),
    ...(carriedBy !== undefined && { carriedBy }),
    ...(pages !== undefined && { pages }),
    ...(notices !== undefined && { notices }),
    ...(work !== undefined && { work }),
    ...(conversation !== undefined && { sessionId: conversation.sessionId }),
    ...(typeof conversation?.notKept === 'string' && { notKept: conversation.notKept }),
  };
}

function furtherParts({ blocks, structured }: ToolOutcome): FurtherParts {
  return { ...(blocks !== undefined && { blocks }), ...(structured !== undefined && { structured }) };
}

function presentAnswer(detail: AnswerDetail): AnswerBody {
  const { report, json } = detail;
  return {
    type: 'answer',
    answer: wholeAnswer(detail),
    account: presentAccount(detail),
    ...(report !== undefined && { report }),
    ...(json !== undefined && { json: json.value }),
  };
}

function presentJob(outcome: ToolOutcome, { job: { result, ...job } }: JobDetail): JobBody {
  const body = { type: 'job', text: outcome.text, job } as const;
  if (result === null) {
    return body;
  }
  if (result.isError) {
    return { ...body, error: presentProblem(result).problem };
  }
  return result.detail?.type === 'answer'
    ? { ...body, result: { ...presentAnswer(result.detail), ...furtherParts(outcome) } }
    : body;
}
