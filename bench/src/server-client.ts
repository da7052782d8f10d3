import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { serverPath } from './project-paths.ts';
import type { QuerySetup } from './query-setup.ts';
import type { Workbench } from './workbench.ts';

/** The built server, running, as a client sees it. */
export type RunningServer = {
  readonly pid: number;
  /** Calls gemini_query with the setup's query. Resolves to the time it took; rejects when the answer is an error. */
  ask(): Promise<number>;
  /** Calls a tool. Resolves to the time it took; rejects when the answer is an error. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<number>;
  close(): Promise<void>;
};

/** Starts the built server and opens a connection; resolves once it is ready for calls. */
export async function startServer(workbench: Workbench, setup: QuerySetup, cliPath: string): Promise<RunningServer> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [serverPath],
    cwd: setup.project,
    env: { ...setup.environment, GEMINI_MCP_CLI: cliPath },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'gemini-mcp-bench', version: '1.0.0' });
  workbench.onClose(() => client.close());
  await client.connect(transport);
  // When a server has listed its tools, it has loaded everything that it loads after its answer to `initialize`.
  await client.listTools();
  const call: RunningServer['call'] = (name, args) => callTool(client, name, args);
  return {
    pid: transport.pid ?? -1,
    call,
    ask: () => call('gemini_query', setup.query),
    close: () => client.close(),
  };
}

async function callTool(client: Client, name: string, args: Readonly<Record<string, unknown>>): Promise<number> {
  const startedAt = performance.now();
  const answer = await client.callTool({ name, arguments: { ...args } });
  const durationMs = performance.now() - startedAt;
  const { content, isError = false } = CallToolResultSchema.parse(answer);
  if (isError) {
    throw new Error(`${name} failed: ${JSON.stringify(content)}`);
  }
  return durationMs;
}
