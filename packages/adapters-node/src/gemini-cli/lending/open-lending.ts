import type { Lending, RunEnd, ToolEndpoint } from '@gemini-mcp/core';
import type { CliRun, Tell } from '../carrier.ts';
import { failRun, failRunFor } from '../fail-run.ts';
import type { RunLimit } from '../run-limit.ts';
import { lendsTools } from './lent-server.ts';

export type OpenLendingOptions = {
  readonly toolEndpoint?: ToolEndpoint;
  readonly run: Pick<CliRun, 'request'>;
  readonly tell: Tell;
};

/** Carries a run with what it lends, null for nothing, which is closed whatever becomes of the run. Resolves to what it came to. */
export async function withLending<End>(
  options: OpenLendingOptions & { readonly carry: (lending: Lending | null) => Promise<End> },
  limit: RunLimit,
): Promise<End | RunEnd> {
  const lending = await openLending(options, limit);
  if (lending !== null && 'type' in lending) {
    return lending;
  }
  try {
    return await options.carry(lending);
  } finally {
    await lending?.close();
  }
}

/** Resolves to where the CLI finds the tools that a run lends, null for a run that lends none, or to the end of a run that cannot. */
async function openLending(
  { toolEndpoint, run: { request }, tell }: OpenLendingOptions,
  limit: RunLimit,
): Promise<Lending | RunEnd | null> {
  const { toolSources = [], deadlineAtMs } = request;
  if (toolEndpoint === undefined || !lendsTools(request)) {
    return null;
  }
  try {
    return await toolEndpoint.open({ sources: toolSources, deadlineAtMs, onStep: tell }, limit.signal);
  } catch (error) {
    return limit.signal.aborted ? failRun(limit.failure) : failRunFor(error);
  }
}

/** The end of a run whose tools the CLI has not asked for: Gemini would answer without them. */
export function failWithoutTools(): RunEnd {
  const excerpt = 'The Gemini CLI did not ask for the tools that the run lends.';
  return failRun({ kind: 'runner-unavailable', excerpt });
}
