import type { AnswerStore, ModelHealth, SessionStore } from '@gemini-mcp/core';
import { createPrompts } from './prompts/create-prompts.ts';
import type { CompletePath } from './prompts/gemini-instructions.ts';
import { createAnswerResources } from './resources/answer-resources.ts';
import { createManualPage, createPageResources, type ManualPageOptions } from './resources/manual-page.ts';
import { createModelsPage, type KnownModels, type ModelsPageOptions } from './resources/models-page.ts';
import { createSessionResources } from './resources/session-resources.ts';
import type { ResourceProvider } from './surface/resource-provider.ts';
import type { Surface } from './surface/surface.ts';
import { createTools, selectTools, type ToolSelection, type ToolsOptions } from './tools/create-tools.ts';
import type { RunPolicy } from './tools/run-settings-of.ts';

export type SurfaceOptions = Omit<ToolsOptions, 'queryTimeoutMs' | 'chatTimeoutMs' | 'searchTimeoutMs'> &
  Partial<Pick<ToolsOptions, 'queryTimeoutMs' | 'chatTimeoutMs' | 'searchTimeoutMs'>> & {
    readonly completePath?: CompletePath;
    /** All tools if missing. */
    readonly selection?: ToolSelection;
    readonly sessions: Pick<SessionStore, 'delete' | 'list' | 'load'>;
    readonly health: Pick<ModelHealth, 'models' | 'report'>;
    /** The models as the API lists them; if missing, the pages use the facts known by name. */
    readonly knownModels?: KnownModels | undefined;
  };

const defaults = {
  selection: { names: null, readOnly: false },
  completePath: () => Promise.resolve([]),
  queryTimeoutMs: 600_000,
  chatTimeoutMs: 600_000,
  searchTimeoutMs: 600_000,
} as const;

/**
 * Builds everything that a server offers from the parts that do the work: the selected tools, and the prompts and resources that
 * go with them. Without a timeout a call has ten minutes; without `completePath` no path is suggested.
 */
export function createSurface(given: SurfaceOptions): Surface {
  const { selection, completePath, health, ...options } = { ...defaults, ...given };
  const { modelChain: models } = options;
  const tools = selectTools(createTools(options), selection);
  const prompts = createPrompts({ completePath, models, toolNames: tools.map(({ name }) => name) });
  const resources = createResources({
    ...options,
    workingDirectory: workingDirectoryOf(options.runPolicy),
    models,
    now: () => options.clock.now(),
    reportHealth: () => health.report([...new Set([...models, ...health.models])]),
    tools,
    prompts,
  });
  return { tools, prompts, resources };
}

/** Hides the paths of this machine from a client that may not have files read. */
function workingDirectoryOf({ mayReadFiles = true, resolveDirectory }: RunPolicy): string | null {
  return mayReadFiles ? resolveDirectory(null) : null;
}

/** The stores, which show each owner only its own entries, and the other data that the pages show. */
type ResourcesOptions = ModelsPageOptions &
  ManualPageOptions & {
    readonly sessions: Pick<SessionStore, 'list' | 'load'>;
    readonly answers: Pick<AnswerStore, 'list' | 'load'>;
  };

/** Every resource of the server: manual, models, conversations and long answers. */
export function createResources(options: ResourcesOptions): readonly ResourceProvider[] {
  return [
    createPageResources([createManualPage(options), createModelsPage(options)]),
    createSessionResources(options.sessions),
    createAnswerResources(options.answers),
  ];
}
