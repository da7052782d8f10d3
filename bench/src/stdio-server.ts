import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { timed } from './in-turns.ts';
import type { OfflinePlace } from './offline-place.ts';
import { geminiPath, serverPath } from './project-paths.ts';
import type { Workbench } from './workbench.ts';

/** Leaves the server without a CLI: calls that need one fail. */
export const noCli = '/nonexistent/gemini';

/** The built server, running, as a client sees it. */
export type RunningServer = {
  readonly pid: number;
  readonly client: Client;
  /** Calls a tool. Resolves to the milliseconds that it took; rejects if the answer is an error. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<number>;
  close(): Promise<void>;
};

export type ServerOptions = Pick<OfflinePlace, 'project' | 'environment'> & { readonly cliPath?: string };

/** Starts the built server; resolves once it has answered `initialize`. */
export async function connectServer(
  workbench: Workbench,
  { project, environment, cliPath = geminiPath }: ServerOptions,
): Promise<RunningServer> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [serverPath],
    cwd: project,
    env: { ...environment, GEMINI_MCP_CLI: cliPath },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'gemini-mcp-bench', version: '1.0.0' });
  workbench.onClose(() => client.close());
  await client.connect(transport);
  return {
    pid: transport.pid ?? -1,
    client,
    call: (name, args) => timed(() => callTool(client, name, args)),
    close: () => client.close(),
  };
}

/** Resolves once the server is ready for calls, and has loaded what it loads after its answer to `initialize`. */
export async function startServer(workbench: Workbench, options: ServerOptions): Promise<RunningServer> {
  const server = await connectServer(workbench, options);
  await server.client.listTools();
  return server;
}

async function callTool(client: Client, name: string, args: Readonly<Record<string, unknown>>): Promise<void> {
  const { content, isError } = CallToolResultSchema.parse(await client.callTool({ name, arguments: { ...args } }));
  if (isError === true) {
    throw new Error(`${name} failed: ${JSON.stringify(content)}`);
  }
}
