import type { SandboxState } from '@gemini-mcp/core';
import { type FindSandboxOptions, findSandbox } from './find-sandbox.ts';

/** Looks whether commands can be walled in here, as `sandbox` of an executor says it. Rejects only when it is aborted. */
export async function findCommandSandbox(signal: AbortSignal, options: FindSandboxOptions = {}): Promise<SandboxState> {
  const search = await findSandbox(options, signal);
  return search.found ? { available: true, name: 'bubblewrap' } : search.state;
}
