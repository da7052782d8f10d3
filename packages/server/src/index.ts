export type { CommandLine, Mode } from './command-line/command-line.ts';
export { parseCommandLine } from './command-line/parse-command-line.ts';
export type { Configuration, ConfigurationWarning } from './settings/configuration.ts';
export { ConfigurationError } from './settings/configuration-error.ts';
export type { LogLevel } from './settings/log-level.ts';
export { type ConfigurationRead, type ConfigurationSources, readConfiguration } from './settings/read-configuration.ts';
export { toolNames } from './settings/tool-names.ts';
