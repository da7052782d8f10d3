import { modelToolPattern } from './lent-server.ts';
import { coreTools } from './tool-policy.ts';

/** How the CLI logs in: `null` leaves it to whatever it finds. */
export type AuthType = 'gemini-api-key' | 'vertex-ai' | 'oauth-personal' | 'compute-default-credentials' | null;

export type CliSettingsOptions = {
  readonly authType: AuthType;
  /** Whether Google may log requests. Not when it is missing. */
  readonly allowsGoogleLogs?: boolean | undefined;
  readonly model: string;
  /** Null for all of them. */
  readonly tools: readonly string[] | null;
  /** MCP servers by name; none when it is missing. */
  readonly servers?: Readonly<Record<string, unknown>>;
};

/** How often the model may go on after a tool, so that one that never ends does. A search needs few turns. */
const maxTurns = { search: 8, others: 100, lent: 1_000 };

/** Headless, the CLI would cut the result of a lent tool that is longer than 40,000 characters. */
const wholeResults = { truncateToolOutputThreshold: 0 };

/**
 * The Gemini API's own field, which the CLI's SDK does not know: it adds what it finds here to the body of each request. For a key
 * alone: Vertex AI refuses the field, and with a Google account the CLI builds its requests itself.
 */
const storeNothing = {
  match: { overrideScope: 'core' },
  modelConfig: { generateContentConfig: { httpOptions: { extraBody: { store: false } } } },
};

/** No conversation is ever this large: the CLI would put a summary of its own in the place of what was said. */
const neverCompress = 100;

/**
 * The settings of the private home (Gemini CLI 0.61.0). There are no others, unless a trusted directory has its own.
 *
 * Retries are ours alone (`maxAttempts`, `retryFetchErrors`); a starting CLI must not clean up other runs' sessions; plan
 * mode would let the model switch itself to running commands; a search by glob for every `@word` in the text would take
 * seconds; hooks, skills, agents and the editor's context are files and programs that no caller named, and so is a GEMINI.md
 * between our directory and a repository above it (`memoryBoundaryMarkers`).
 */
export function buildCliSettings(options: CliSettingsOptions): Record<string, unknown> {
  const { authType, allowsGoogleLogs = false, model, tools, servers } = options;
  const searches = tools?.includes('google_web_search') ?? true;
  const core = tools === null ? null : coreTools(tools);
  const lends = tools?.includes(modelToolPattern) === true;
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
    ...(core !== null && { tools: { core, ...(lends && wholeResults) } }),
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
    return maxTurns.lent;
  }
  return tools?.includes('google_web_search') ? maxTurns.search : maxTurns.others;
}

const unsetName = 'GEMINI_MCP_NO_VARIABLE';

/**
 * Settings as the text of their file. The CLI replaces `$NAME` and `${NAME}` in every string and has no escape, but does not look at what it
 * has put in. So each `$` is the default of a variable that no run has.
 */
export function formatCliSettings(settings: Record<string, unknown>): string {
  return JSON.stringify(settings, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('$', () => `\${${unsetName}:-$}`) : value,
  );
}

/** Hides everything in the workspace: a second wall, should a text ever be read for `@name` after all. */
export const ignoreEverything = '*\n.*\n**/*\n';

/** What Gemini CLI 0.61.0 makes of these names when it logs in with a key. All others it leaves alone. */
const promotedNames: ReadonlyMap<string, string> = new Map([
  ['pro', 'gemini-3.1-pro-preview'],
  ['gemini-3-pro-preview', 'gemini-3.1-pro-preview'],
  ['flash', 'gemini-3.8-flash'],
  ['gemini-3.5-flash', 'gemini-3.8-flash'],
  ['flash-lite', 'gemini-3.5-flash-lite'],
  ['gemini-3.1-flash-lite', 'gemini-3.5-flash-lite'],
]);

/**
 * Makes the web search ask the model of the run. By itself it asks another one, and if that is missing or its quota is used up it asks
 * again, hundreds of times a second. The name has to be the one that the CLI ends up with: for another one it does not search.
 */
export function searchWithModel(model: string): Record<string, unknown> {
  const generateContentConfig = { tools: [{ googleSearch: {} }] };
  const modelConfig = { model: promotedNames.get(model) ?? model, generateContentConfig };
  return { customAliases: { 'web-search': { extends: 'base', modelConfig } } };
}
