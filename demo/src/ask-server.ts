import { existsSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { DemoOptions } from './demo-options.ts';

export type AskServerOptions = {
  readonly serverPath: string;
  /** Where the Gemini CLI lies, if it is there. Calls with a key do without. */
  readonly cliPath: string;
  /** The server's working directory. */
  readonly rootDirectory: string;
  /** In addition to what the server inherits. */
  readonly environment: Readonly<Record<string, string>>;
  readonly options: DemoOptions;
};

const callTimeoutMs = 300_000;

/** Starts the built server as an MCP client does, calls `gemini_query` and ends the server again. */
export async function askServer(
  setup: AskServerOptions,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [setup.serverPath],
    cwd: setup.rootDirectory,
    env: { ...definedOnly(process.env), ...cliVariable(setup.cliPath), ...setup.environment },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'gemini-mcp-demo', version: '1.0.0' });
  let log = '';
  transport.stderr?.on('data', (chunk) => {
    log += String(chunk);
  });
  await client.connect(transport);
  try {
    const result = await client.callTool(
      { name: 'gemini_query', arguments: toolArguments(setup.options) },
      CallToolResultSchema,
      {
        timeout: callTimeoutMs,
        resetTimeoutOnProgress: true,
        onprogress: ({ message = '' }) => process.stderr.write(`… ${message}\n`),
      },
    );
    const { content, isError = false } = CallToolResultSchema.parse(result);
    if (isError) {
      process.stderr.write(log);
    }
    return { text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'), isError };
  } finally {
    await client.close();
  }
}

function toolArguments({ prompt, files, globs, directories, model }: DemoOptions): Record<string, unknown> {
  return { prompt, files, glob_patterns: globs, directories, ...(model === null ? {} : { model }) };
}

function cliVariable(cliPath: string): Readonly<Record<string, string>> {
  return existsSync(cliPath) ? { GEMINI_MCP_CLI: cliPath } : {};
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
