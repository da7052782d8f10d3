import { existsSync } from 'node:fs';
import { connectServer, type ShownResult } from './connect-server.ts';
import type { DemoOptions } from './demo-options.ts';

export type AskServerOptions = {
  readonly serverPath: string;
  /** The path of the Gemini CLI, if installed. Calls with a key do without. */
  readonly cliPath: string;
  /** The server's working directory. */
  readonly rootDirectory: string;
  /** In addition to what the server inherits. */
  readonly environment: Readonly<Record<string, string>>;
  readonly options: DemoOptions;
};

/** Starts the built server as an MCP client does, calls `gemini_query` and ends the server again. */
export async function askServer(setup: AskServerOptions): Promise<ShownResult> {
  const server = await connectServer({
    serverPath: setup.serverPath,
    workingDirectory: setup.rootDirectory,
    inheritsSettings: true,
    environment: { ...cliVariable(setup.cliPath), ...setup.environment },
  });
  return await server.call('gemini_query', toolArguments(setup.options)).finally(() => server.close());
}

function toolArguments({ prompt, files, globs, directories, model }: DemoOptions): Record<string, unknown> {
  return { prompt, files, glob_patterns: globs, directories, ...(model === null ? {} : { model }) };
}

function cliVariable(cliPath: string): Readonly<Record<string, string>> {
  return existsSync(cliPath) ? { GEMINI_MCP_CLI: cliPath } : {};
}
