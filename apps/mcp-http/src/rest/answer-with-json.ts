import type { ToolContext, ToolOutcome } from '@gemini-mcp/mcp';
import type { Context } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import type { ProblemBody } from './call-schemas.ts';
import { type FailedCall, presentCall, presentProblem } from './present-problem.ts';

/** Prompts, files and conversations of one caller must not be cached. */
const notToBeKept = { 'Cache-Control': 'no-store' } as const;

/** Answers a call after its end. */
export async function answerWithJson({ context, run }: RestCall): Promise<Response> {
  const outcome = await run({ signal: context.req.raw.signal, progress: () => undefined });
  return respondWith(context, outcome);
}

/** The result of a call, as one JSON body with the matching status. */
export function respondWith(context: Context<HttpEnv>, outcome: ToolOutcome): Response {
  const body = presentCall(outcome);
  if (body === null) {
    return respondWithProblem(context, presentProblem(outcome));
  }
  const isStarted = body.type === 'job' && body.job.state === 'running';
  return context.json(body, isStarted ? 202 : 200, notToBeKept);
}

/** A failed call in the shape that every error of this server has. */
export function respondWithProblem(context: Context<HttpEnv>, { status, problem }: FailedCall): Response {
  const { retryAfterMs } = problem;
  return context.json(problemBody(context, problem), status, {
    ...notToBeKept,
    ...(retryAfterMs !== undefined && { 'Retry-After': String(Math.ceil(retryAfterMs / 1_000)) }),
  });
}

/** The body of an error. Its code also goes to the log. */
export function problemBody(context: Context<HttpEnv>, problem: FailedCall['problem']): ProblemBody {
  context.set('refusedAs', problem.code);
  return { error: { ...problem, requestId: context.get('requestId') } };
}

/** A call that may begin: its caller is known, may call the tool, and has sent all arguments. */
export type RestCall = {
  readonly context: Context<HttpEnv>;
  /** Never rejects. */
  readonly run: (watch: Pick<ToolContext, 'signal' | 'progress'>) => Promise<ToolOutcome>;
};
