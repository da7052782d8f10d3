/** Lends Gemini tools on a project. */
export { parseCommand } from './commands/parse-command.ts';
export { LendingEndpoint, type LendingEndpointOptions } from './lending/lending-endpoint.ts';
export { ProjectTools, type ProjectToolsOptions } from './project-tools/project-tools.ts';
export type { ProjectPlace } from './served/open-project.ts';
export type { ServedToolsOptions } from './served/open-project.ts';
export { type ServedResult, ServedTools } from './served/served-tools.ts';
