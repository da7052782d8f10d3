import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import {
  type ApprovalStore,
  type AskGemini,
  type Clock,
  type Executor,
  type ServerLender,
  type WorkMode,
  WorkOnTask,
} from '@gemini-mcp/core';
import type { SurfaceOptions } from '@gemini-mcp/mcp';
import type { Configuration } from '../settings/configuration.ts';
import { agentModeOf } from './agent-mode-of.ts';
import { lendProject } from './lend-project.ts';
import { runBudget } from './run-budget.ts';

export type AgentParts = {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly executor: Executor;
  readonly approvals: ApprovalStore;
  /** Where the operator has said nothing. */
  readonly agentModeByDefault: WorkMode;
  readonly hasSeveralOwners: boolean;
  /** As in `ServerOptions`. */
  readonly program?: string | undefined;
  /** Lends tools of other servers; undefined where none are lent. */
  readonly serverLender: ServerLender | undefined;
};

const timeoutMs = 900_000;

/** Lets Gemini work on projects; undefined where the operator does not want that. */
export function createAgent(parts: AgentParts): SurfaceOptions['agent'] {
  const { configuration, clock, askGemini, executor, approvals, hasSeveralOwners } = parts;
  const { serverLender: lender } = parts;
  const mode = agentModeOf(parts);
  if (mode === 'off') {
    return undefined;
  }
  const workOnTask = new WorkOnTask({
    clock,
    askGemini,
    executor,
    approvals,
    offersLasting: !hasSeveralOwners,
    program: parts.program,
    createRunId: () => randomBytes(8).toString('hex'),
    realPathOf: (directory) => realpath(directory).catch(() => directory),
    lendProject: (project) => lendProject(project, clock),
    lender,
  });
  return {
    workOnTask,
    undo: (request, signal) => executor.undo(request, signal),
    mode,
    allowsNetwork: mode === 'full' && configuration.agentMode === 'network',
    budget: runBudget,
    timeoutMs,
    // Over HTTP a token has to allow it, which is seen by the argument alone.
    lendsServers: lender !== undefined && !hasSeveralOwners,
  };
}
