import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ProjectLocation, ServedTools } from '@gemini-mcp/agent-tools';
import type { WorkMode } from '@gemini-mcp/core';
import { runBudget } from '@gemini-mcp/gemini/internal';
import { narrowConfiguration, type Reach, rootsOf, settleFileAccess } from '../file-access/reach.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import type { ResolvePart, ServerOptions } from './server-parts.ts';

/** The tools on projects, for programs that are not Gemini. */
export type ToolHandlers = {
  readonly tools: ServedTools;
  /** Where those of a reach work; null where they may use no files. `directory` is as they named it. */
  readonly placeOf: (reach: Reach, directory: string | null) => Omit<ProjectLocation, 'owner'> | null;
};

const modeAdvice = 'The operator of the server sets with GEMINI_MCP_AGENT what there is: plan, edit or full.';

/** Opens what serves the tools; null where the operator lets no one work on projects. */
export async function openProjectTools(options: ServerOptions, part: ResolvePart): Promise<ToolHandlers | null> {
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
    // Its own client decides when such an agent has done enough; requests are limited as all are.
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
  /** Where the operator has said nothing. */
  readonly agentModeByDefault: WorkMode;
};

/** The most that may be done to projects. */
export function agentModeOf({ configuration, agentModeByDefault }: AgentModeOptions): WorkMode | 'off' {
  const { agentMode, readOnly } = configuration;
  const mode = agentMode === 'network' ? 'full' : (agentMode ?? agentModeByDefault);
  return readOnly && mode !== 'off' ? 'plan' : mode;
}
