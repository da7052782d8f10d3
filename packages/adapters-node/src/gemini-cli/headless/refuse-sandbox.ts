import type { RunEnd } from '@gemini-mcp/core';
import type { CliRun } from '../carrier.ts';
import { failRun } from '../fail-run.ts';
import { findSandbox, isMountable, maxSandboxInputBytes } from '../settings/sandbox.ts';

/** The end of a run that asks for a sandbox which cannot be had, or which cannot carry it; null for any other. */
export async function refuseSandbox(
  { request, settings, programs }: CliRun,
  runsDirectory: string,
): Promise<RunEnd | null> {
  if (!settings.sandbox) {
    return null;
  }
  const actual = Buffer.byteLength(request.input, 'utf8');
  if (actual > maxSandboxInputBytes) {
    const refusal = { measure: 'bytes', actual, limit: maxSandboxInputBytes } as const;
    return failRun({ kind: 'context-too-large', refusal, excerpt: '' });
  }
  if (!isMountable(runsDirectory)) {
    const excerpt = `${runsDirectory} has a comma or a colon in its name: no container can be shown it`;
    return failRun({ kind: 'configuration', excerpt });
  }
  const runtime = await findSandbox(programs);
  return runtime === null ? failRun({ kind: 'sandbox-missing', excerpt: 'neither docker nor podman was found' }) : null;
}
