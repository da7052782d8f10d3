import type { AskFailure, CallPurpose } from '@gemini-mcp/core';
import type { ToolOutcome } from '../tool.ts';
import { fitFailure, type LongTexts } from './fit-result.ts';

/** A failure of Gemini as the outcome of a tool. */
export async function presentFailure(
  failed: AskFailure,
  { purpose, ...longTexts }: LongTexts & { readonly purpose: CallPurpose },
): Promise<ToolOutcome & { readonly detail: { readonly type: 'failure' } }> {
  const text = await fitFailure(failed, { ...longTexts, purpose });
  return { text, isError: true, detail: { type: 'failure', failed, purpose } };
}
