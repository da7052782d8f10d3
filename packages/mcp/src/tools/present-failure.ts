import type { AskFailure, CallPurpose, FailureWords, GeminiFailure } from '@gemini-mcp/core';
import { escapeControls } from '@gemini-mcp/core/internal';
import { escapeLongText } from '../content/escape-long-text.ts';
import type { ToolContext, ToolOutcome } from '../surface/tool.ts';
import { fitFailure, type LongTexts } from './fit-result.ts';

/** A failure of Gemini as the outcome of a tool. */
export async function presentFailure(
  failedCall: AskFailure,
  { purpose, ...longTexts }: LongTexts & { readonly purpose: CallPurpose },
): Promise<ToolOutcome & { readonly detail: { readonly type: 'failure' } }> {
  const failed = await escapeFailure(failedCall);
  const text = await fitFailure(failed, { ...longTexts, purpose });
  return { text, isError: true, detail: { type: 'failure', failed, purpose } };
}

async function escapeFailure(failed: AskFailure): Promise<AskFailure> {
  const { failure, partialText } = failed;
  return { ...failed, failure: escapeExcerpt(failure), partialText: await escapeLongText(partialText) };
}

function escapeExcerpt(failure: GeminiFailure): GeminiFailure {
  return 'excerpt' in failure ? { ...failure, excerpt: escapeControls(failure.excerpt) } : failure;
}

/**
 * Failure texts, or a function that gives them for a client by its own name from `initialize`, null if it gave none. The name is
 * unverified: compare it with names that you know, and never show it.
 */
export type ClientFailureWords = FailureWords | ((clientName: string | null) => FailureWords);

/** The failure texts for the client of this call. */
export function failureWordsFor(
  words: ClientFailureWords | undefined,
  { clientName }: Pick<ToolContext, 'clientName'>,
): FailureWords | undefined {
  return typeof words === 'function' ? words(clientName) : words;
}
