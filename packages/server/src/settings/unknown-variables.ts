import { didYouMean } from '@gemini-mcp/core/internal';
import type { Program } from '../command-line/program.ts';
import { httpSettingList } from './http-settings.ts';
import type { ConfigurationWarning } from './read-configuration.ts';
import { serverSettingList } from './server-settings.ts';
import type { Setting, SettingsEnvironment } from './setting.ts';

/** Names that only this server uses. The CLI has its own variables that begin with `GEMINI_CLI_`. */
const ourNames = /^(?:GEMINI_MCP_|GEMINI_CLI_(?:CHAT|SEARCH|TIMEOUT|WORKING))/;

/** Set by the server itself for its child processes, which may include another server. */
const runIdVariable = 'GEMINI_MCP_RUN_ID';

/**
 * Finds variables with this server's prefix that the program does not know, most likely misspelled. Settings of
 * the other server are fine, because one environment may start both.
 */
export function findUnknownVariables(
  environment: SettingsEnvironment,
  { settings }: Pick<Program, 'settings'>,
): readonly ConfigurationWarning[] {
  const own = variablesOf(settings);
  const expected = new Set([...own, ...variablesOf(serverSettingList), ...variablesOf(httpSettingList), runIdVariable]);
  return Object.keys(environment)
    .filter((name) => ourNames.test(name) && !expected.has(name))
    .map((variable) => ({ variable, message: `Unknown setting.${didYouMean(variable, own)}` }));
}

function variablesOf(settings: readonly Setting[]): readonly string[] {
  return settings.map(({ variable }) => variable);
}
