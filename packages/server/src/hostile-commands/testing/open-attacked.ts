import { NodeExecutor, SystemClock } from '@gemini-mcp/adapters-node';
import { parseCommand } from '@gemini-mcp/agent-tools';
import type { CommandPlan, Workspace, WorkspaceOptions } from '@gemini-mcp/core';

const never = new AbortController().signal;

/** Opens a run that may run commands, over an executor of its own; null if its directories are refused. Roots that are links do not count. */
export async function openAttacked(
  stateDirectory: string,
  places: Pick<WorkspaceOptions, 'runId' | 'roots' | 'workingDirectory'>,
): Promise<Workspace | null> {
  const executor = new NodeExecutor({
    ...{ clock: new SystemClock(), stateDirectory, privateDirectories: [], environment: process.env, toolPaths: [] },
    pinned: new Map(),
  });
  const opened = await executor.open({ ...places, owner: 'alice', mode: 'full', network: false }, never);
  return opened.ok ? opened.value : null;
}

export function planOfLine(line: string): CommandPlan {
  const reading = parseCommand(line);
  if (!reading.ok) {
    throw new Error(`${line}: ${reading.refusal.reason}`);
  }
  return reading.plan;
}
