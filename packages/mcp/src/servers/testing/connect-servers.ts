import { AnswerRecords } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer } from '../../edges/legacy/create-mcp-server.ts';
import type { McpLogEntry } from '../../handlers/mcp-log.ts';
import type { Surface } from '../../surface/surface.ts';
import { sourceOf } from '../../surface/surface.ts';
import type { SearchTools } from '../find-tools-tool.ts';
import { OfferedServers } from '../offered-servers.ts';
import type { ServerChoice } from '../server-catalog.ts';
import type { ScriptedServers } from './scripted-servers.ts';

export type ConnectedServers = {
  readonly client: Client;
  readonly clock: FakeClock;
  readonly answers: AnswerRecords;
  readonly log: readonly McpLogEntry[];
  /** Lists that the client was told to have changed. */
  readonly notices: readonly string[];
  /** Resolves when the client has been told so often. */
  readonly noticed: (times: number) => Promise<void>;
  readonly offered: OfferedServers;
};

export type ConnectOptions = {
  readonly choice?: Partial<ServerChoice>;
  readonly base?: Partial<Surface>;
  /** Answers of the user; no one can be asked when it is missing. */
  readonly user?: (params: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;
};

/** By a part of the name: how well a search finds is shown where the search is. */
const searchByPart: SearchTools = ({ tools, text, max }) =>
  tools.filter(({ tool, description }) => `${tool} ${description}`.includes(text)).slice(0, max);

/** A client of a server that offers these servers on. */
export async function connectServers(
  servers: ScriptedServers,
  { choice, base, user }: ConnectOptions = {},
): Promise<ConnectedServers> {
  const clock = new FakeClock();
  const log: McpLogEntry[] = [];
  const notices: string[] = [];
  const waiting = new Set<() => void>();
  const handles = ['handle3', 'handle2', 'handle1'];
  const answers = new AnswerRecords({ clock, createHandle: () => handles.pop() ?? 'none' });
  const offered = new OfferedServers({
    servers,
    choice: { names: 'all', form: 'auto', readOnly: false, ...choice },
    searchTools: searchByPart,
    readView: async () => ({ servers: [], problems: [] }),
    answers,
    clock,
  });
  const surface = offered.over(sourceOf({ tools: [], prompts: [], resources: [], ...base }));
  const mcp = createMcpServer({
    version: '1.0.0',
    clock,
    log: (entry) => log.push(entry),
    ownerOf: () => 'ada',
    surface,
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await mcp.connect(serverSide);
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: user === undefined ? {} : { elicitation: { form: {} } } },
  );
  if (user !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => user(params));
  }
  client.fallbackNotificationHandler = async ({ method }) => {
    notices.push(method.replace(/^notifications\/(\w+)\/list_changed$/, '$1'));
    for (const look of waiting) {
      look();
    }
  };
  const noticed = (times: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => (notices.length < times ? undefined : resolve());
      waiting.add(look);
      look();
    });
  await client.connect(clientSide);
  return { client, clock, answers, log, notices, noticed, offered };
}
