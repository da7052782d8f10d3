import { GeminiCliFinder, SystemClock } from '@gemini-mcp/adapters-node';
import { ContainedServerProcesses } from '@gemini-mcp/adapters-node/internal';
import { defaultConnectionLimits, InMemoryKeptLists, Upstream } from '@gemini-mcp/hub';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Workbench } from '../workbench.ts';
import type { ServerTransport } from './plain-server.ts';

/** Calls a tool once. Rejects where there is no answer. */
export type Caller = () => Promise<void>;

const name = 'tool_0';
const patienceMs = 600_000;

/** The client of the SDK alone, as its examples have it. */
export async function openBareCaller(workbench: Workbench, transport: ServerTransport): Promise<Caller> {
  const client = new Client({ name: 'bare', version: '1.0.0' });
  workbench.onClose(() => client.close());
  // Untyped, because the SDK's transports do not fit the SDK's interface where optional properties are taken exactly.
  await Reflect.apply(client.connect, client, [bareTransport(transport)]);
  let count = 0;
  return async () => {
    count += 1;
    const { content } = await client.callTool({ name, arguments: { text: 'x', count } });
    expectAnswer(content);
  };
}

function bareTransport(transport: ServerTransport): StdioClientTransport | StreamableHTTPClientTransport {
  return transport.type === 'stdio'
    ? new StdioClientTransport({ command: transport.program.command, args: [...transport.program.arguments] })
    : new StreamableHTTPClientTransport(new URL(transport.url));
}

/** Ours, as a server has it. */
export function openUpstream(workbench: Workbench, transport: ServerTransport): Upstream {
  const clock = new SystemClock();
  const environment = { PATH: process.env['PATH'] ?? '' };
  const { programs: programPath } = new GeminiCliFinder({ environment, runsDirectory: workbench.directory });
  const upstream = new Upstream({
    clock,
    processes: new ContainedServerProcesses({ environment, programPath }),
    fetch,
    limits: defaultConnectionLimits,
    client: { name: 'bench', version: '1.0.0' },
    questions: null,
    roots: null,
    configuration: { name: 'plain', transport, callTimeoutMs: patienceMs, isEnabled: true },
    keptLists: new InMemoryKeptLists(),
    key: 'plain',
    log: () => undefined,
    onChange: () => undefined,
  });
  workbench.onClose(() => upstream.close());
  return upstream;
}

const never = new AbortController().signal;

export function callerOf(upstream: Upstream): Caller {
  const clock = new SystemClock();
  let count = 0;
  return async () => {
    count += 1;
    const params = { name, arguments: { text: 'x', count } };
    const reply = await upstream.request(
      { method: 'tools/call', params, deadlineAtMs: clock.now() + patienceMs, onProgress: () => undefined },
      never,
    );
    expectAnswer(reply.type === 'answered' ? reply.result['content'] : reply);
  };
}

function expectAnswer(content: unknown): void {
  if (!Array.isArray(content) || content.length !== 1) {
    throw new Error(`No answer: ${JSON.stringify(content)}`);
  }
}
