/** Lends Gemini tools on a project. */
export { parseCommand } from './commands/parse-command.ts';
export { ProjectTools, type ProjectToolsOptions } from './project-tools/project-tools.ts';
