import type { AskResult } from '../answers/ask-result.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { AskRequest, OnProgress } from './ask-request.ts';

/** A request with its model tools. */
export type RequestWithTools = {
  readonly request: AskRequest;
  /** Aborts with the caller's signal, and when the budget for tools is used up. */
  readonly signal: AbortSignal;
  /** Adds the effects of the tools to a result. */
  readonly tell: (result: AskResult) => AskResult;
  /** Closes everything opened for the tools. */
  readonly release: () => Promise<void>;
};

/** Adds model tools to requests that name something of one kind, such as a directory. */
export interface ToolAttacher {
  /** Null for a request that names nothing of this kind; otherwise the request without that name, or why it cannot be asked. */
  attach(
    request: AskRequest,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<RequestWithTools | GeminiFailure> | null;
}

/** Lets each attacher add its tools to a request. Rejects if one does, after closing what the others opened. */
export async function attachTools(
  toolAttachers: readonly ToolAttacher[],
  asked: { readonly request: AskRequest; readonly onProgress: OnProgress },
  signal: AbortSignal,
): Promise<RequestWithTools | GeminiFailure> {
  const attached: RequestWithTools[] = [];
  const release = async (): Promise<void> => {
    for (const one of attached.toReversed()) {
      await one.release();
    }
  };
  let now = { request: asked.request, signal };
  try {
    for (const attacher of toolAttachers) {
      const next = await attacher.attach(now.request, asked.onProgress, now.signal);
      if (next !== null && 'kind' in next) {
        await release();
        return next;
      }
      attached.push(...(next === null ? [] : [next]));
      now = next ?? now;
    }
  } catch (error) {
    await release();
    throw error;
  }
  const tell = (result: AskResult): AskResult => attached.reduceRight((told, one) => one.tell(told), result);
  return { request: now.request, signal: now.signal, tell, release };
}

/** A request that was cancelled because its budget for tools was used up. */
export function endedByBudget(result: AskResult, overBudget: string | null): AskResult {
  return !result.ok && result.failed.failure.kind === 'cancelled' && overBudget !== null
    ? { ok: false, failed: { ...result.failed, failure: { kind: 'turn-limit', excerpt: '' } } }
    : result;
}
