import { SystemClock } from '@gemini-mcp/adapters-node';
import type { OtherServers } from '@gemini-mcp/core/internal';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Workbench } from '../workbench.ts';
import type { ServerSettings } from './plain-server.ts';

/** Calls a tool once. Rejects where there is no answer. */
export type Caller = () => Promise<void>;

const tool = 'tool_0';
const patienceMs = 600_000;
const never = new AbortController().signal;

/** The client of the SDK alone, as its examples have it. */
export async function openBareCaller(workbench: Workbench, settings: ServerSettings): Promise<Caller> {
  const client = new Client({ name: 'bare', version: '1.0.0' });
  workbench.onClose(() => client.close());
  // Untyped, because the SDK's transports do not fit the SDK's interface where optional properties are taken exactly.
  await Reflect.apply(client.connect, client, [transportOf(settings)]);
  let count = 0;
  return async () => {
    count += 1;
    const { content } = await client.callTool({ name: tool, arguments: { text: 'x', count } });
    expectAnswer(content);
  };
}

function transportOf(settings: ServerSettings): StdioClientTransport | StreamableHTTPClientTransport {
  return 'httpUrl' in settings
    ? new StreamableHTTPClientTransport(new URL(settings.httpUrl))
    : new StdioClientTransport({ command: settings.command, args: [...settings.args] });
}

/** Ours: the tool of one of the other servers of an owner. */
export function callerOf(servers: OtherServers, server: string): Caller {
  const clock = new SystemClock();
  let count = 0;
  return async () => {
    count += 1;
    const asks = { type: 'tool', tool, arguments: { text: 'x', count } } as const;
    const deadlineAtMs = clock.now() + patienceMs;
    const reply = await servers.request({ server, asks, deadlineAtMs, questions: null }, never);
    expectAnswer(reply.type === 'answered' ? reply.result['content'] : reply);
  };
}

function expectAnswer(content: unknown): void {
  if (!Array.isArray(content) || content.length !== 1) {
    throw new Error(`No answer: ${JSON.stringify(content)}`);
  }
}
