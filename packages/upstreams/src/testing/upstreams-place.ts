import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  listsInMemory,
  pinsInMemory,
  type ServerReply,
  type UpstreamCall,
  type UpstreamServers,
  type UpstreamSnapshot,
} from '@gemini-mcp/core/internal';
import { defaultConnectionLimits } from '../connection/connection-limits.ts';
import type { ServerEntry } from '../settings/read-server-entry.ts';
import { readUpstreamConfig, type UpstreamConfig } from '../settings/read-upstream-config.ts';
import { resolveServer } from '../settings/resolve-server.ts';
import { Upstreams } from '../upstreams.ts';
import type { ServerReach, UpstreamsOptions } from '../upstreams-options.ts';
import { ChildProcesses } from './child-processes.ts';
import { RealClock } from './real-clock.ts';

const oddServer = fileURLToPath(new URL('servers/odd-server.mjs', import.meta.url));
const never = new AbortController().signal;

/** Upstreams with real server programs and changing settings. */
export class UpstreamsPlace {
  readonly processes: ChildProcesses = new ChildProcesses();
  readonly toolPinStore: ReturnType<typeof pinsInMemory> = pinsInMemory();
  readonly log: string[] = [];
  directory = '';
  readonly #pools: Upstreams[] = [];
  #settings: UpstreamConfig = readUpstreamConfig('{}', 'settings.json');

  async open(): Promise<void> {
    this.directory = await mkdtemp(join(tmpdir(), 'upstreams-'));
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.splice(0).map((upstreams) => upstreams.close()));
    await rm(this.directory, { recursive: true, force: true });
  }

  upstreams(options: Partial<UpstreamsOptions> = {}): Upstreams {
    const upstreams = new Upstreams({
      clock: new RealClock(),
      processes: this.processes,
      limits: defaultConnectionLimits,
      client: { name: 'test', version: '1' },
      settings: async () => this.#settings,
      reach: ({ entry }) => this.reach(entry),
      roots: () => null,
      upstreamListStore: listsInMemory(),
      toolPinStore: this.toolPinStore,
      log: (line) => this.log.push(line),
      ...options,
    });
    this.#pools.push(upstreams);
    return upstreams;
  }

  /** How to reach a server that needs no secrets. */
  async reach(entry: ServerEntry): Promise<ServerReach> {
    const values = { allowed: [], variables: new Map<string, string>(), secretOf: () => null };
    const resolved = resolveServer(entry, { values, baseDirectory: this.directory, joinPath: join });
    return resolved.resolved
      ? { isKnown: true, transport: resolved.transport, fetch }
      : { isKnown: false, problem: resolved.problem };
  }

  /** Writes the settings: entries by name, in this order. */
  configure(servers: ReadonlyMap<string, object> | Readonly<Record<string, object>>, mcp: object = {}): void {
    const pairs: readonly (readonly [string, object])[] =
      servers instanceof Map ? [...servers] : Object.entries(servers);
    const members = pairs.map(([name, entry]) => `${JSON.stringify(name)}: ${JSON.stringify(entry)}`);
    const text = `{ "mcpServers": { ${members.join(', ')} }, "mcp": ${JSON.stringify(mcp)} }`;
    this.#settings = readUpstreamConfig(text, 'settings.json');
  }

  /** The entry of a server with this oddity, which logs what it receives to the file of this name. */
  odd(oddity: string, file = 'heard', more: object = {}): object {
    return { command: process.execPath, args: [oddServer, oddity, join(this.directory, file)], ...more };
  }

  async heard(file = 'heard'): Promise<readonly string[]> {
    const text = await readFile(join(this.directory, file), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }
}

/** A tool call without a time limit. */
export function toolRequest(server: string, tool: string, args: Readonly<Record<string, unknown>> = {}): UpstreamCall {
  const asks = { type: 'tool', tool, arguments: args } as const;
  return { server, asks, deadlineAtMs: Number.MAX_SAFE_INTEGER, questions: null };
}

/** Calls a tool. Returns the text of the answer, or the whole reply if it has no text. */
export async function callServer(servers: UpstreamServers, request: UpstreamCall): Promise<unknown> {
  const reply: ServerReply = await servers.request(request, never);
  const content = reply.type === 'answered' ? reply.result['content'] : undefined;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return typeof first === 'object' && first !== null && 'text' in first ? first.text : reply;
}

/** The names of a server's tools, with the reason for each withheld one. */
export function toolsOf(server: UpstreamSnapshot | undefined): readonly string[] {
  return (server?.lists?.tools ?? []).map(({ listed, judgement }) =>
    judgement.type === 'offered' ? listed.name : `${listed.name} (${judgement.reason})`,
  );
}
