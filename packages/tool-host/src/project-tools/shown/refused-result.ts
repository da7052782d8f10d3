import type { LentResult, StepRefusal } from '@gemini-mcp/core';

/** A step that was not carried out, as Gemini is told of it: what, why, and what to do. */
export function refusedResult({ code, message, hint, retriable }: StepRefusal): LentResult {
  const text = hint === '' ? `Refused: ${message}` : `Refused: ${message} ${hint}`;
  return { text, data: { code, message, hint, retriable }, isDone: false };
}
