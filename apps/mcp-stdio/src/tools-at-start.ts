import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isUnfilled } from '@gemini-mcp/adapters-node/internal/startup';
import { type Configuration, type ConfigurationSources, serverSettingList } from '@gemini-mcp/server';

/** The settings that do not change how tools are listed. With any other one, today's or a later one, the server's code lists them. */
export const settingsBesideTools: ReadonlySet<string> = new Set([
  ...['GEMINI_CLI_WORKING_DIR', 'GEMINI_MCP_ROOTS', 'GEMINI_MCP_PROJECTS', 'GEMINI_MCP_TRUSTED_DIRS'],
  ...['GEMINI_MCP_ALLOW_SENSITIVE', 'GEMINI_MCP_MODELS', 'GEMINI_MCP_CLI', 'GEMINI_MCP_ALLOW_GOOGLE_LOGS'],
  ...['GEMINI_CLI_CHAT_TIMEOUT_MS', 'GEMINI_CLI_SEARCH_TIMEOUT_MS', 'GEMINI_MCP_CALL_LIMIT_SECONDS'],
  ...['GEMINI_MCP_PAGE_BYTES', 'GEMINI_MCP_PROFILE', 'GEMINI_MCP_MAX_RUNNING', 'GEMINI_MCP_TOOL_PATHS'],
  ...['GEMINI_MCP_SERVERS_FILE', 'GEMINI_MCP_OFFER_AS', 'GEMINI_MCP_CREDENTIALS'],
  ...['GEMINI_MCP_SESSION_RETENTION_DAYS', 'GEMINI_MCP_STATE_DIR', 'GEMINI_MCP_LOG_LEVEL'],
]);

/** Variables by which calls go to Vertex AI, or to another address: its tools are others. */
const apiVariable = /^GOOGLE_(?:GENAI_|\w*_BASE_URL$)/i;

/** The same in a file of the user's for the Gemini CLI, whose login and variables the server shares. */
const apiInFile = /GOOGLE_(?:GENAI_|\w*_BASE_URL)|vertex-ai/i;

export type ToolsAtStartSources = Pick<ConfigurationSources, 'environment' | 'flags'> & {
  readonly configuration: Pick<Configuration, 'userDirectory'>;
  /** The directory of the bundle. */
  readonly bundle: string;
};

/**
 * The listed tools as the build wrote them, so that the first list waits for no other code. Null if they may differ from those of this server: with a
 * setting or a login that changes them, or without the file of the build.
 */
export function readToolsAtStart({
  environment,
  flags,
  configuration,
  bundle,
}: ToolsAtStartSources): readonly Readonly<Record<string, unknown>>[] | null {
  const isGiven = (value: string | undefined): boolean => Boolean(value) && !isUnfilled(value);
  const changesTools =
    serverSettingList.some(
      ({ variable, flag }) =>
        !settingsBesideTools.has(variable) &&
        (isGiven(environment[variable]) || (flag !== null && flags?.has(flag) === true)),
    ) ||
    Object.keys(environment).some((name) => apiVariable.test(name)) ||
    userFiles(configuration).some((path) => apiInFile.test(textOf(path) ?? ''));
  const text = changesTools ? null : textOf(join(bundle, 'tools.json'));
  return text === null ? null : JSON.parse(text);
}

function userFiles({ userDirectory }: Pick<Configuration, 'userDirectory'>): readonly string[] {
  return [join(userDirectory, 'settings.json'), join(userDirectory, '.env'), join(userDirectory, '..', '.env')];
}

/** Null if the file is missing or unreadable. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
