import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  listsInMemory,
  pinsInMemory,
  type ServerQuestions,
  type ServerReply,
  type ServerTransport,
} from '@gemini-mcp/core/internal';
import { type ConnectionLimits, defaultConnectionLimits } from '../connection/connection-limits.ts';
import type { ServerEntry } from '../settings/read-server-entry.ts';
import { readUpstreamConfig } from '../settings/read-upstream-config.ts';
import { type UpstreamRequest, UpstreamServer, type UpstreamServerOptions } from '../upstream-server.ts';
import { ChildProcesses } from './child-processes.ts';
import { RealClock } from './real-clock.ts';

const oddServer = fileURLToPath(new URL('servers/odd-server.mjs', import.meta.url));
const never = new AbortController().signal;

export type PlaceOptions = Partial<Omit<UpstreamServerOptions['upstreams'], 'limits' | 'roots'>> & {
  readonly limits?: Partial<ConnectionLimits>;
  /** The owner's roots; without them the owner has no roots. */
  readonly roots?: () => Promise<readonly string[]>;
  readonly callTimeoutMs?: number;
  /** The server's name; defaults to `odd one`. */
  readonly name?: string;
  /** Defaults to `ada`. */
  readonly owner?: string;
};

/** Misbehaving servers, each a real program. */
export class UpstreamPlace {
  readonly processes: ChildProcesses = new ChildProcesses();
  readonly log: string[] = [];
  directory = '';
  readonly #servers: UpstreamServer[] = [];
  readonly #changed = new Set<() => void>();

  async open(): Promise<void> {
    this.directory = await mkdtemp(join(tmpdir(), 'upstream-'));
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((server) => server.close()));
    await rm(this.directory, { recursive: true, force: true });
  }

  /** A server that runs a program with arguments. */
  program(command: string, words: readonly string[], options: PlaceOptions = {}): UpstreamServer {
    return this.server(this.#transport(command, words), options);
  }

  /** The server with this oddity, which logs what it receives to the file `heard`. */
  odd(oddity: string, options: PlaceOptions = {}): UpstreamServer {
    return this.server(this.oddTransport(oddity), options);
  }

  /** How to reach that server. */
  oddTransport(oddity: string): ServerTransport {
    return this.#transport(process.execPath, [oddServer, oddity, join(this.directory, 'heard')]);
  }

  #transport(command: string, words: readonly string[]): ServerTransport {
    const program = { command, arguments: words, environment: {}, workingDirectory: this.directory };
    return { type: 'stdio', program };
  }

  server(transport: ServerTransport, options: PlaceOptions = {}): UpstreamServer {
    const { limits, roots = null, callTimeoutMs = 60_000, name = 'odd one', owner = 'ada', ...others } = options;
    const server = new UpstreamServer({
      upstreams: {
        clock: new RealClock(),
        processes: this.processes,
        limits: { ...defaultConnectionLimits, ...limits },
        client: { name: 'test', version: '1' },
        reach: async () => ({ isKnown: true, transport, fetch }),
        roots: () => roots,
        upstreamListStore: listsInMemory(),
        toolPinStore: pinsInMemory(),
        log: (line) => this.log.push(line),
        ...others,
      },
      entry: { ...entryOf(name), timeoutMs: callTimeoutMs },
      owner,
      onChange: () => {
        for (const hear of this.#changed) {
          hear();
        }
        this.#changed.clear();
      },
    });
    this.#servers.push(server);
    return server;
  }

  /** Resolves once `isSo` returns true; checks now and after each change of state or lists. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    for (;;) {
      const changed = new Promise<void>((resolve) => this.#changed.add(resolve));
      if (await isSo()) {
        return;
      }
      await changed;
    }
  }

  /** The lines that the server has logged. */
  async heard(): Promise<readonly string[]> {
    const text = await readFile(join(this.directory, 'heard'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }
}

/** Settings with only a name: `reach` returns the rest. */
function entryOf(name: string): ServerEntry {
  const settings = readUpstreamConfig(
    JSON.stringify({ mcpServers: { [name]: { command: 'unused' } } }),
    'settings.json',
  );
  const entry = settings.servers.get(name);
  if (entry === undefined) {
    throw new Error(`No server can have the name ${name}`);
  }
  return entry;
}

/** The names of a server's known tools; null before its lists are known. */
export async function toolNames(server: UpstreamServer): Promise<readonly string[] | null> {
  const { lists } = await server.describe();
  return lists?.tools.map(({ listed }) => listed.name) ?? null;
}

/** A request without a time limit, whose user cannot be asked. */
export function requestOf(
  method: string,
  params: Readonly<Record<string, unknown>>,
  more: Partial<UpstreamRequest> = {},
): UpstreamRequest {
  return { method, params, owner: 'ada', questions: null, deadlineAtMs: Number.MAX_SAFE_INTEGER, ...more };
}

export type CallOptions = { readonly signal?: AbortSignal; readonly questions?: ServerQuestions };

/** Calls a tool, listed or not. Returns the text of the answer, or the whole outcome if it has no text. */
export async function callTool(
  server: UpstreamServer,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  { signal = never, questions }: CallOptions = {},
): Promise<unknown> {
  const request = requestOf('tools/call', { name, arguments: args }, { questions: questions ?? null });
  const outcome: ServerReply = await server.request(request, signal);
  return outcome.type === 'answered' ? textOf(outcome.result['content']) : outcome;
}

function textOf(content: unknown): unknown {
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return typeof first === 'object' && first !== null && 'text' in first ? first.text : content;
}
