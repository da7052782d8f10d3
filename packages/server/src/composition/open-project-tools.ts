import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ProjectLocation, ServedTools } from '@gemini-mcp/agent-tools';
import type { WorkMode } from '@gemini-mcp/core';
import { runBudget } from '@gemini-mcp/gemini/internal';
import { narrowConfiguration, type Reach, rootsOf, settleFileAccess } from '../file-access/reach.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import type { ResolvePart, ServerOptions } from './server-parts.ts';

/** The project tools for programs other than Gemini. */
export type ProjectToolService = {
  readonly tools: ServedTools;
  /** Opens the directory that the tools of a reach work in; null if the reach has no files. `directory` is as the caller named it. */
  readonly placeOf: (reach: Reach, directory: string | null) => Omit<ProjectLocation, 'owner'> | null;
};

const modeAdvice = 'The operator of the server sets the mode with GEMINI_MCP_AGENT: plan, edit or full.';

/** Opens the tools; null if the operator switched work on projects off. */
export async function openProjectTools(options: ServerOptions, part: ResolvePart): Promise<ProjectToolService | null> {
  const { configuration, program } = options;
  const mode = agentModeOf(options);
  if (mode === 'off') {
    return null;
  }
  const { ServedTools: Tools } = await import('@gemini-mcp/agent-tools');
  const tools = new Tools({
    clock: part('clock'),
    executor: part('executor'),
    approvals: part('approvals'),
    program,
    mode,
    // The agent's own client bounds its work; its requests are rate-limited like all others.
    budget: {
      maxSteps: Number.MAX_SAFE_INTEGER,
      maxTokens: Number.MAX_SAFE_INTEGER,
      maxWrittenBytes: runBudget.maxWrittenBytes,
    },
    createRunId: () => randomBytes(8).toString('hex'),
    realPathOf: (directory) => realpath(directory).catch(() => directory),
    modeAdvice,
  });
  return {
    tools,
    placeOf: (reach, directory) => placeOf(configuration, settleFileAccess(reach, configuration), directory),
  };
}

function placeOf(whole: Configuration, reach: Reach, directory: string | null): Omit<ProjectLocation, 'owner'> | null {
  if (!reach.mayReadFiles) {
    return null;
  }
  const configuration = narrowConfiguration(whole, reach);
  const workingDirectory = resolve(configuration.workingDirectory, directory ?? '.');
  return { workingDirectory, roots: rootsOf(configuration, reach) };
}

type AgentModeOptions = {
  readonly configuration: Pick<Configuration, 'agentMode' | 'readOnly'>;
  /** The mode if the operator has not set one. */
  readonly agentModeByDefault: WorkMode;
};

/** The most that may be done on projects. */
export function agentModeOf({ configuration, agentModeByDefault }: AgentModeOptions): WorkMode | 'off' {
  const { agentMode, readOnly } = configuration;
  const mode = agentMode === 'network' ? 'full' : (agentMode ?? agentModeByDefault);
  return readOnly && mode !== 'off' ? 'plan' : mode;
}
