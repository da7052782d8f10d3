export {
  type ApiAccess,
  findApiAccess,
  findLogin,
  LoginStore,
  loopHeader,
  ownerOnThisMachine,
} from '@gemini-mcp/gemini/internal';
export {
  type ClientSnippet,
  type HttpEntry,
  hasLogin,
  type StdioEntry,
  shellHeader,
  toFillIn,
} from './clients/client-form.ts';
export { clientForms } from './clients/client-forms.ts';
export { type ClientName, clientNames, isNameOf } from './clients/client-names.ts';
export { claudeCodeHttpLine } from './clients/forms/claude-code.ts';
export { installLink, linkedClients } from './clients/install-link.ts';
export { type CommandLine, type Mode, parseCommandLine } from './command-line/parse-command-line.ts';
export type { FoundServer, Invocation, OperableProgram, Program, ReviewsAtTerminal } from './command-line/program.ts';
export {
  type CommandResult,
  type RunTerminalCommandOptions,
  runAtTerminal,
  runTerminalCommand,
  type TerminalCommand,
} from './command-line/run-command.ts';
export { wrapHelp } from './command-line/wrap-help.ts';
export { type ComposedServer, composeServer } from './composition/compose-server.ts';
export { createCliFinder } from './composition/create-server-runners.ts';
export type { Observers } from './composition/observers.ts';
export type { ProjectToolService } from './composition/open-project-tools.ts';
export {
  partFactories,
  partNames,
  type ResolvePart,
  type ServerOptions,
  type ServerParts,
} from './composition/server-parts.ts';
export { startProcesses } from './composition/start-processes.ts';
export type { Check } from './doctor/check.ts';
export { refuseNode } from './doctor/check-node.ts';
export { clientFailureWords } from './failure-words/client-failure-words.ts';
export { operatorFailureWords } from './failure-words/server-failure-words.ts';
export {
  describeNoRoot,
  fileAccessOfRoots,
  fileAccessOfServer,
  fileAccessWithoutRoots,
  type Reach,
  rootsOf,
} from './file-access/reach.ts';
export { resolveClientRoots } from './file-access/resolve-client-roots.ts';
export { createLog } from './log/create-log.ts';
export { createEarlyLog } from './log/early-log.ts';
export { createPoolLog, createProtocolLog, type PoolLog, warnOfRetiredModels } from './log/event-logs.ts';
export type { Log, LogEvent, LogFields, LogOptions } from './log/log.ts';
export { type HttpSettingValues, httpSettingList, httpSettings } from './settings/http-settings.ts';
export { profiles, type Sizes } from './settings/profiles.ts';
export {
  type Configuration,
  type ConfigurationRead,
  type ConfigurationSources,
  type ConfigurationWarning,
  readConfiguration,
  realPathOfSetting,
  refuseStateDirectory,
} from './settings/read-configuration.ts';
export { type LogLevel, serverSettingList } from './settings/server-settings.ts';
export { ConfigurationError, readSettings, type Setting } from './settings/setting.ts';
export { findUnknownVariables } from './settings/unknown-variables.ts';
export { parseAuthority } from './settings/value-types.ts';
export { LastingProgram, type LastingProgramOptions } from './setup/lasting-program.ts';
