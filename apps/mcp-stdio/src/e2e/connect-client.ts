import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { serverPath } from './server-process.ts';
import type { ServerSetup } from './server-setup.ts';

/** What the user does about a question; null if their client shows none. */
export type User = ((message: string) => unknown) | null;

/** Connects a real client of MCP with the built server, over real stdio. The API carries its calls. */
export async function connectClient(
  setup: ServerSetup,
  user: User,
  environment: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: user === null ? {} : { elicitation: {} } });
  client.fallbackRequestHandler = async ({ params }) => {
    const { message } = ElicitRequestSchema.shape.params.parse(params);
    // Unvalidated: the SDK's own handler would refuse to send an invalid answer.
    return JSON.parse(JSON.stringify(await user?.(message)));
  };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [serverPath],
      env: { ...setup.environment(), GEMINI_MCP_RUNNER: 'api', ...environment },
      cwd: setup.project,
      stderr: 'ignore',
    }),
  );
  return client;
}

/** Calls a tool. Resolves to what the client's model would read. */
export async function callTool(client: Client, name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const told = await client.callTool({ name, arguments: args }, undefined, { timeout: 120_000 });
  const { content } = CallToolResultSchema.parse(told);
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
