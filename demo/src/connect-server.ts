import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export type ConnectServerOptions = {
  readonly serverPath: string;
  /** The server's working directory. */
  readonly workingDirectory: string;
  /** In addition to what the server inherits. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether it inherits the settings of the user's own servers (`GEMINI_MCP_…`) as well. */
  readonly inheritsSettings: boolean;
  /** Answers a question of the server to its user; without it the client offers none. */
  readonly onQuestion?: (question: string) => string;
};

export type ShownResult = { readonly text: string; readonly isError: boolean };

/** The built server, running, as an MCP client speaks with it. */
export type ConnectedServer = {
  /** Resolves to the tool's result; its progress goes to stderr. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<ShownResult>;
  close(): Promise<void>;
};

const callTimeoutMs = 300_000;

/** Starts the built server as an MCP client does. Rejects if it does not start. */
export async function connectServer(options: ConnectServerOptions): Promise<ConnectedServer> {
  const { serverPath, workingDirectory, environment, inheritsSettings, onQuestion } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [serverPath],
    cwd: workingDirectory,
    env: { ...inherited(inheritsSettings), ...environment },
    stderr: 'pipe',
  });
  const capabilities = onQuestion === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'gemini-mcp-demo', version: '1.0.0' }, { capabilities });
  if (onQuestion !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      action: 'accept',
      content: { choice: onQuestion(params.message) },
    }));
  }
  let log = '';
  transport.stderr?.on('data', (chunk) => {
    log += String(chunk);
  });
  await client.connect(transport);
  return {
    call: async (name, args) => {
      const shown = await callTool(client, name, args);
      if (shown.isError) {
        process.stderr.write(log);
      }
      return shown;
    },
    close: () => client.close(),
  };
}

async function callTool(client: Client, name: string, args: Readonly<Record<string, unknown>>): Promise<ShownResult> {
  const result = await client.callTool({ name, arguments: { ...args } }, CallToolResultSchema, {
    timeout: callTimeoutMs,
    resetTimeoutOnProgress: true,
    onprogress: ({ message = '' }) => process.stderr.write(`… ${message}\n`),
  });
  const { content, isError = false } = CallToolResultSchema.parse(result);
  return { text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'), isError };
}

function inherited(withSettings: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || (name.startsWith('GEMINI_MCP_') && !withSettings) ? [] : [[name, value]],
    ),
  );
}
