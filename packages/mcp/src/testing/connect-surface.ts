import { FakeClock } from '@gemini-mcp/core/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect } from 'vitest';
import * as z from 'zod';
import { createMcpServer } from '../edges/legacy/create-mcp-server.ts';
import type { McpLogEntry } from '../handlers/mcp-log.ts';
import type { Surface } from '../surface/surface.ts';

const anything = z.looseObject({});

export type Connected = {
  readonly request: (method: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly client: Client;
  readonly log: McpLogEntry[];
};

/** A client of this name, connected to a server that offers this. */
export async function connect(surface: Partial<Surface>, clientName = 'alice'): Promise<Connected> {
  const log: McpLogEntry[] = [];
  const server = createMcpServer({
    version: '1.0.0',
    clock: new FakeClock(),
    log: (entry) => log.push(entry),
    ownerOf: (name) => `owner of ${name}`,
    surface: { tools: [], prompts: [], resources: [], ...surface },
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  const client = new Client({ name: clientName, version: '1' });
  await client.connect(clientSide);
  return { log, client, request: (method, params = {}) => client.request({ method, params }, anything) };
}

export type Refusal = {
  /** Null if the request succeeded. */
  readonly code: number | null;
  readonly message: string;
};

/** The refusal that a client reads: checks that it is short, ours, and free of anything that could act on a terminal. */
export async function refusalOf(answer: Promise<unknown>): Promise<Refusal> {
  const refusal = await answer.then(
    () => ({ code: null, message: 'It was answered' }),
    (error: unknown) => z.object({ code: z.number(), message: z.string() }).parse(error),
  );
  expect(refusal.message.length).toBeLessThan(700);
  expect(refusal.message).not.toMatch(/(?!\n)\p{Cc}|"code":|invalid_type/u);
  return refusal;
}
