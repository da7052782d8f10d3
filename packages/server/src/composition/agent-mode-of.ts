import type { WorkMode } from '@gemini-mcp/core';
import type { Configuration } from '../settings/configuration.ts';

export type AgentModeOptions = {
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
