/** Serves Gemini tools on a project. */
export { parseCommand } from './commands/parse-command.ts';
export { LoopbackMcpServer, type LoopbackMcpServerOptions } from './loopback/loopback-mcp-server.ts';
export { ProjectTools, type ProjectToolsOptions } from './project-tools/project-tools.ts';
export type { ProjectLocation, ServedToolsOptions } from './served/open-project.ts';
export { type ServedResult, ServedTools } from './served/served-tools.ts';
