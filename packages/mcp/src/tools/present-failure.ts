import type { AskFailure, CallPurpose, GeminiFailure } from '@gemini-mcp/core';
import { escapeControls } from '@gemini-mcp/core/internal';
import { escapeLongText } from '../escape-long-text.ts';
import type { ToolOutcome } from '../tool.ts';
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
