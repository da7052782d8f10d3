import type { ChangeConsent, ChangedFile, StepResult } from '@gemini-mcp/core';
import type { AskUser } from '../ask-user.ts';
import type { ToolReport } from '../project-tool.ts';
import { describeChange } from './describe-change.ts';

/** A change takes no longer once it is allowed. */
const changeMs = 10_000;

/** Makes a change, with the user's consent where it needs that. */
export async function makeChange(
  change: (consent: { readonly consent?: ChangeConsent }) => Promise<StepResult<ChangedFile>>,
  askUser: AskUser,
  signal: AbortSignal,
): Promise<ToolReport> {
  const first = await change({});
  if (first.ok) {
    return describeChange(first.value);
  }
  const { proposal } = first.refusal;
  if (first.refusal.code !== 'needs-approval' || proposal === undefined) {
    return first;
  }
  const refusal = await askUser({ type: 'change', change: proposal, timeMs: changeMs }, signal);
  if (refusal !== null) {
    return { ok: false, refusal };
  }
  const { path, beforeHash } = proposal;
  const second = await change({ consent: { path, beforeHash } });
  return second.ok ? describeChange(second.value) : second;
}
