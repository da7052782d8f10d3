import type { ModelHealth, SessionStore } from '@gemini-mcp/core';
import { createPrompts, type PromptsOptions } from './prompts/create-prompts.ts';
import { createResources } from './resources/create-resources.ts';
import type { Surface } from './surface.ts';
import { createTools, selectTools, type ToolSelection, type ToolsOptions } from './tools/create-tools.ts';

export type SurfaceOptions = ToolsOptions &
  Pick<PromptsOptions, 'completePath'> & {
    readonly selection: ToolSelection;
    readonly sessions: Pick<SessionStore, 'delete' | 'list' | 'load'>;
    readonly health: Pick<ModelHealth, 'models' | 'report'>;
  };

/** All that a server offers, out of the parts that do the work: the selected tools, and the prompts and resources that go with them. */
export function createSurface({ selection, completePath, health, ...options }: SurfaceOptions): Surface {
  const { modelChain: models } = options;
  const tools = selectTools(createTools(options), selection);
  const prompts = createPrompts({ completePath, models, toolNames: tools.map(({ name }) => name) });
  const resources = createResources({
    ...options,
    models,
    reportHealth: () => health.report([...new Set([...models, ...health.models])]),
    tools,
    prompts,
  });
  return { tools, prompts, resources };
}
