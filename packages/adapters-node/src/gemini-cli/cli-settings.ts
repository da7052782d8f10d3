/** How the CLI logs in: `null` leaves it to whatever it finds. */
export type AuthType = 'gemini-api-key' | 'vertex-ai' | 'oauth-personal' | 'compute-default-credentials' | null;

/**
 * The settings of the private workspace (Gemini CLI 0.61.0). They beat the user's.
 *
 * Retries are ours alone (`maxAttempts`, `retryFetchErrors`); a starting CLI must not clean up other runs' sessions; plan
 * mode would let the model switch itself to running commands; a search by glob for every `@word` in the text would take
 * seconds; hooks, skills, agents and the editor's context are files and programs that nobody named, and so is a GEMINI.md
 * between our directory and a repository above it (`memoryBoundaryMarkers`).
 */
export function buildCliSettings(authType: AuthType): Record<string, unknown> {
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
    model: { disableLoopDetection: true },
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

/** Hides everything in the workspace: a second wall, should a text ever be read for `@name` after all. */
export const ignoreEverything = '*\n.*\n**/*\n';

/**
 * Denies every tool but one that does nothing: with none at all the CLI would send an empty list of functions, which the
 * API refuses.
 */
export const denyToolsPolicy = `[[rule]]
toolName = "*"
decision = "deny"
priority = 900
denyMessage = "Not available in this call."

[[rule]]
toolName = "update_topic"
decision = "allow"
priority = 950
`;
