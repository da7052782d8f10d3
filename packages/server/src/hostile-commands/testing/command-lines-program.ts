import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { NodeExecutor, SystemClock } from '@gemini-mcp/adapters-node';
import { parseCommand } from '@gemini-mcp/agent-tools';
import { judgePlan, shippedCommandRules } from '@gemini-mcp/core/internal';
import type { LineOutcome, LinesTask } from './run-lines.ts';

/** Reads command lines, decides by the shipped rules, and runs all but the denied ones as if a user had allowed them. */
const never = new AbortController().signal;
const task: LinesTask = JSON.parse(readFileSync(0, 'utf8'));
const executor = new NodeExecutor({
  clock: new SystemClock(),
  stateDirectory: task.stateDirectory,
  privateDirectories: [],
  environment: process.env,
  toolPaths: task.toolPaths,
});
const opened = await executor.open(
  {
    runId: randomUUID(),
    owner: 'tests',
    workingDirectory: task.project,
    roots: [task.project],
    mode: 'full',
    network: false,
  },
  never,
);
if (!opened.ok) {
  throw new Error(opened.refusal.message);
}
const workspace = opened.value;
await workspace.prepareCommands(never);
for (const line of task.lines) {
  process.stdout.write(`${JSON.stringify(await carryOut(line))}\n`);
}
await workspace.close();

async function carryOut(line: string): Promise<LineOutcome> {
  const reading = parseCommand(line);
  if (!reading.ok) {
    return { decision: 'refused', result: null };
  }
  const { decision } = judgePlan(reading.plan, shippedCommandRules);
  if (decision === 'deny') {
    return { decision, result: null };
  }
  const request = { plan: reading.plan, timeoutMs: task.timeoutMs, waitMs: task.timeoutMs + 5_000 };
  return { decision, result: await workspace.runCommand(request, never) };
}
