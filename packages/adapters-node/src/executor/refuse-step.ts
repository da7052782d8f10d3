import type { StepRefusalCode, StepResult } from '@gemini-mcp/core';

/** A step that is not carried out, with nothing to be said besides why. */
export function refuseStep(code: StepRefusalCode, message: string): Extract<StepResult<never>, { ok: false }> {
  return { ok: false, refusal: { code, message, hint: '', retriable: false } };
}
