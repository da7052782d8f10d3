/** Lends Gemini tools on a project. */
export { parseCommand } from './commands/parse-command.ts';
