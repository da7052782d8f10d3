export { type ApiAccess, findApiAccess } from '@gemini-mcp/gemini/internal';
export { claudeCodeHttpLine } from './clients/claude-code.ts';
export type { ClientSnippet } from './clients/client-form.ts';
export { clientForms } from './clients/client-forms.ts';
export { type ClientName, clientNames, isNameOf } from './clients/client-names.ts';
export { type HttpEntry, hasLogin, type StdioEntry } from './clients/server-entry.ts';
export { shellHeader } from './clients/settings-text.ts';
export { type CommandLine, type Mode, parseCommandLine } from './command-line/parse-command-line.ts';
export { runAtTerminal, type TerminalCommand } from './command-line/run-at-terminal.ts';
export { type CommandResult, type RunCommandOptions, runCommand } from './command-line/run-command.ts';
export { type ComposedServer, composeServer } from './composition/compose-server.ts';
export { createCliFinder } from './composition/create-cli-finder.ts';
export { createObservers, type Observers } from './composition/observers.ts';
export type { ToolHost } from './composition/open-tool-host.ts';
export {
  partFactories,
  partNames,
  type ResolvePart,
  type ServerOptions,
  type ServerParts,
} from './composition/server-parts.ts';
export { type CloseProcesses, startProcesses } from './composition/start-processes.ts';
export type { Check } from './doctor/check.ts';
export { refuseNode } from './doctor/check-node.ts';
export { clientFailureWords } from './failure-words/client-failure-words.ts';
export { operatorFailureWords } from './failure-words/operator-failure-words.ts';
export { ownerOnThisMachine } from './hub/create-hub.ts';
export { hubHeader } from './hub/hub-mark.ts';
export { type ChoiceLog, createChoiceLog } from './log/choice-log.ts';
export { createLog } from './log/create-log.ts';
export { createEarlyLog } from './log/early-log.ts';
export type { EventLevel, Log, LogEvent, LogFields, LogOptions } from './log/log.ts';
export { createPoolLog, type PoolLog } from './log/pool-log.ts';
export { createProtocolLog, type ProtocolLog } from './log/protocol-log.ts';
export { createRunLog, type RunLog } from './log/run-log.ts';
export { warnOfRetiredModels } from './log/warn-of-retired-models.ts';
export type { Invocation, OperableProgram, SettingsRead } from './program/operable-program.ts';
export type { Program } from './program/program.ts';
export { describeNoRoot, type Reach, reachOfRoots, reachOfServer } from './reach/reach.ts';
export { type ClientDirectories, resolveClientRoots } from './reach/resolve-client-roots.ts';
export type { Configuration, ConfigurationWarning } from './settings/configuration.ts';
export { ConfigurationError } from './settings/configuration-error.ts';
export { type HttpSettingValues, httpSettings } from './settings/http-settings.ts';
export type { LogLevel } from './settings/log-level.ts';
export { type Authority, parseAuthority } from './settings/parse-authority.ts';
export { profiles, type Sizes } from './settings/profiles.ts';
export { type ConfigurationRead, type ConfigurationSources, readConfiguration } from './settings/read-configuration.ts';
export { isSet, readSettings, type SettingSources } from './settings/read-settings.ts';
export { realPathOf } from './settings/real-path-of.ts';
export { refuseStateDirectory } from './settings/refuse-state-directory.ts';
export { serverSettings } from './settings/server-settings.ts';
export type { Setting } from './settings/setting.ts';
export { httpSettingList, serverSettingList } from './settings/setting-lists.ts';
export { settingsReference } from './settings/settings-reference.ts';
export { findUnknownVariables } from './settings/unknown-variables.ts';
