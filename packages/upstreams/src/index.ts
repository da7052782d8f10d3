/** Other MCP servers, whose tools Gemini and clients can use. */

export {
  type Entry,
  type EntryEdited,
  type EntryPlace,
  type EntryRead,
  editEntry,
  readEntry,
} from './client-entries/entry-document.ts';
export { type ConnectionLimits, defaultConnectionLimits } from './connection/connection-limits.ts';
export type { ImportedServer } from './import/entry-draft.ts';
export { type ImportName, importNames } from './import/import-names.ts';
export {
  detectClient,
  type ImportedSettings,
  type ReadClientSettingsOptions,
  readClientSettings,
} from './import/read-client-settings.ts';
export type { GoogleEndpoints } from './login/google-login.ts';
export type { HostLookup } from './login/guarded-fetch.ts';
export type { LoginDependencies } from './login/log-in.ts';
export type { LoginSubject } from './login/login-subject.ts';
export { type FoundSubject, Logins, type LoginsOptions } from './login/logins.ts';
export type { ServerLogin } from './login/server-login.ts';
export { nameTool } from './name-tool.ts';
export {
  type EditedUpstreamConfig,
  editUpstreamConfig,
  serverNamesIn,
  type UpstreamConfigEdit,
} from './settings/edit/edit-upstream-config.ts';
export { type OAuthEntry, offersTool, type ServerEntry, type TransportEntry } from './settings/read-server-entry.ts';
export {
  bindToPlace,
  isServerOn,
  mergeUpstreamConfig,
  readServerNames,
  readUpstreamConfig,
  type UpstreamConfig,
} from './settings/read-upstream-config.ts';
export { type ResolvedServer, type ResolveServerOptions, resolveServer } from './settings/resolve-server.ts';
export { type SecretReference, secretsOf, secretTexts } from './settings/secret-texts.ts';
export { describeProblem, type SettingProblem } from './settings/settings-node.ts';
export { describeTarget, type ShownEntry, showEntry } from './settings/show-entry.ts';
export type { TemplatePart, TemplateValues } from './settings/value-template.ts';
export { findSchemaViolations } from './tools/find-schema-violations.ts';
export { fitToolSchema } from './tools/fit-tool-schema.ts';
export type { ServerResult } from './tools/read-result.ts';
export { type SearchedTool, type SearchToolsOptions, searchTools } from './tools/search-tools.ts';
export { type ToToolResultOptions, toToolResult } from './tools/to-tool-result.ts';
export { UpstreamToolProvider, type UpstreamToolProviderOptions } from './tools/upstream-tool-provider.ts';
export type { UpstreamPool } from './upstream-pool.ts';
export { type PinApproval, Upstreams } from './upstreams.ts';
export type { ServerReach, ServerRemedies, UpstreamsOptions } from './upstreams-options.ts';
