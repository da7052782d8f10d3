/** Other MCP servers, whose tools are lent to Gemini and offered to clients. */

export { type ConnectionLimits, defaultConnectionLimits } from './connection/connection-limits.ts';
export { type ImportedServer, type ImportName, importNames } from './import/convert-entry.ts';
export {
  detectClient,
  type ImportedSettings,
  type ReadClientSettingsOptions,
  readClientSettings,
} from './import/read-client-settings.ts';
export type { GoogleEndpoints } from './login/google-login.ts';
export type { HostLookup } from './login/guarded-fetch.ts';
export type { LoginMeans } from './login/log-in.ts';
export type { LoginSubject } from './login/login-subject.ts';
export { type FoundSubject, Logins, type LoginsOptions } from './login/logins.ts';
export type { ServerLogin } from './login/server-login.ts';
export { nameTool } from './name-tool.ts';
export {
  type EditedHubSettings,
  editHubSettings,
  type HubSettingsEdit,
  serverNamesIn,
} from './settings/edit/edit-hub-settings.ts';
export {
  bindToPlace,
  type HubSettings,
  isServerOn,
  mergeHubSettings,
  readHubSettings,
  readServerNames,
} from './settings/read-hub-settings.ts';
export { type OAuthEntry, offersTool, type ServerEntry, type TransportEntry } from './settings/read-server-entry.ts';
export { type ResolvedServer, type ResolveServerOptions, resolveServer } from './settings/resolve-server.ts';
export { type SecretReference, secretsOf, secretTexts } from './settings/secret-texts.ts';
export { describeProblem, type SettingProblem } from './settings/settings-node.ts';
export { describePlace, type ShownEntry, showEntry } from './settings/show-entry.ts';
export type { TemplatePart, TemplateValues } from './settings/value-template.ts';
export { findMisfits } from './tools/find-misfits.ts';
export { fitToolSchema } from './tools/fit-tool-schema.ts';
export { type LendResultOptions, lendResult } from './tools/lend-result.ts';
export { OtherServersSource, type OtherServersSourceOptions } from './tools/other-servers-source.ts';
export type { ServerResult } from './tools/read-result.ts';
export { type SearchedTool, type SearchToolsOptions, searchTools } from './tools/search-tools.ts';
export type { UpstreamPool } from './upstream-pool.ts';
export { type Approval, Upstreams } from './upstreams.ts';
export type { ServerReach, ServerRemedies, UpstreamsOptions } from './upstreams-options.ts';
