import { modelToolPattern } from './model-tools.ts';
import { coreTools } from './tool-policy.ts';

/** How the CLI logs in: `null` leaves the choice to the CLI. */
export type AuthType = 'gemini-api-key' | 'vertex-ai' | 'oauth-personal' | 'compute-default-credentials' | null;

export type CliSettingsOptions = {
  readonly authType: AuthType;
  /** Whether Google may log requests. No if missing. */
  readonly allowsGoogleLogs?: boolean | undefined;
  readonly model: string;
  /** Null for all of them. */
  readonly tools: readonly string[] | null;
  /** MCP servers by name. Default: no servers. */
  readonly servers?: Readonly<Record<string, unknown>>;
};

/** How often the model may continue after a tool, so that an endless loop ends. A search needs few turns. */
const maxTurns = { search: 8, others: 100, modelTools: 1_000 };

/** In headless mode the CLI would cut the result of a model tool that is longer than 40,000 characters. */
const wholeResults = { truncateToolOutputThreshold: 0 };

/**
 * The Gemini API's own field, unknown to the CLI's SDK, which adds everything in this object to the body of each request. For a key
 * alone: Vertex AI rejects the field, and with a Google account the CLI builds its requests itself.
 */
const storeNothing = {
  match: { overrideScope: 'core' },
  modelConfig: { generateContentConfig: { httpOptions: { extraBody: { store: false } } } },
};

/** Larger than any conversation: beyond it the CLI would replace earlier turns by its own summary. */
const neverCompress = 100;

/**
 * The settings in the private home (Gemini CLI 0.61.0). Only a trusted directory can add its own.
 *
 * Retries are ours alone (`maxAttempts`, `retryFetchErrors`); a starting CLI must not clean up other runs' sessions; plan mode would let
 * the model switch itself to running commands; a search by glob for every `@word` in the text would take seconds; hooks, skills, agents
 * and the editor's context are files and programs that no caller named, and so is a GEMINI.md between our directory and a repository
 * above it (`memoryBoundaryMarkers`).
 */
export function buildCliSettings(options: CliSettingsOptions): Record<string, unknown> {
  const { authType, allowsGoogleLogs = false, model, tools, servers } = options;
  const searches = tools?.includes('google_web_search') ?? true;
  const core = tools === null ? null : coreTools(tools);
  const hasModelTools = tools?.includes(modelToolPattern) === true;
  const modelConfigs = {
    ...(searches && searchWithModel(model)),
    ...(authType === 'gemini-api-key' && !allowsGoogleLogs && { customOverrides: [storeNothing] }),
  };
  return {
    ...(authType === null ? {} : { security: { auth: { selectedType: authType } } }),
    general: {
      maxAttempts: 1,
      retryFetchErrors: false,
      sessionRetention: { enabled: false },
      plan: { enabled: false },
    },
    ui: { showCompatibilityWarnings: false },
    privacy: { usageStatisticsEnabled: false },
    advanced: { ignoreLocalEnv: true },
    model: {
      disableLoopDetection: true,
      compressionThreshold: neverCompress,
      maxSessionTurns: chooseMaxTurns(tools),
    },
    modelConfigs,
    ...(core !== null && { tools: { core, ...(hasModelTools && wholeResults) } }),
    ...(servers !== undefined && { mcpServers: servers }),
    context: {
      fileFiltering: { enableRecursiveFileSearch: false },
      includeDirectoryTree: false,
      memoryBoundaryMarkers: [],
    },
    experimental: { enableAgents: false },
    hooksConfig: { enabled: false },
    ide: { enabled: false },
    skills: { enabled: false },
  };
}

function chooseMaxTurns(tools: CliSettingsOptions['tools']): number {
  if (tools?.includes(modelToolPattern)) {
    return maxTurns.modelTools;
  }
  return tools?.includes('google_web_search') ? maxTurns.search : maxTurns.others;
}

const unsetName = 'GEMINI_MCP_NO_VARIABLE';

/**
 * The text of a settings file. The CLI replaces `$NAME` and `${NAME}` in every string and has no escape, but does not scan the
 * replacement. So each `$` becomes the default of a variable that no run sets.
 */
export function formatCliSettings(settings: Record<string, unknown>): string {
  return JSON.stringify(settings, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('$', () => `\${${unsetName}:-$}`) : value,
  );
}

/** Hides everything in the workspace: a second safeguard in case the CLI ever scans a text for `@name`. */
export const ignoreEverything = '*\n.*\n**/*\n';

/** The models that Gemini CLI 0.61.0 substitutes for these names when it logs in with a key. It leaves all others alone. */
const promotedNames: ReadonlyMap<string, string> = new Map([
  ['pro', 'gemini-3.1-pro-preview'],
  ['gemini-3-pro-preview', 'gemini-3.1-pro-preview'],
  ['flash', 'gemini-3.8-flash'],
  ['gemini-3.5-flash', 'gemini-3.8-flash'],
  ['flash-lite', 'gemini-3.5-flash-lite'],
  ['gemini-3.1-flash-lite', 'gemini-3.5-flash-lite'],
]);

/**
 * Makes the web search ask the model of the run. By default it asks another one, and if that is missing or its quota is used up it asks
 * again, hundreds of times a second. The name has to be the one that the CLI resolves to: for any other it does not search.
 */
export function searchWithModel(model: string): Record<string, unknown> {
  const generateContentConfig = { tools: [{ googleSearch: {} }] };
  const modelConfig = { model: promotedNames.get(model) ?? model, generateContentConfig };
  return { customAliases: { 'web-search': { extends: 'base', modelConfig } } };
}
