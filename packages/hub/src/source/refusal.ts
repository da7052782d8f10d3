import type { LentResult, StepRefusal } from '@gemini-mcp/core';

/** A call that was not carried out, as Gemini is told of it: what, why, and what to do. */
export function refusedResult({ code, message, hint, retriable }: StepRefusal): LentResult {
  const text = hint === '' ? `Refused: ${message}` : `Refused: ${message} ${hint}`;
  return { text, data: { code, message, hint, retriable }, isDone: false };
}

export function refuse(code: StepRefusal['code'], message: string, hint: string = ''): StepRefusal {
  return { code, message, hint, retriable: false };
}
