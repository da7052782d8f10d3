import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@gemini-mcp/core';
import type { ServerReply, ServerTransport } from '@gemini-mcp/core/internal';
import { type ConnectionLimits, defaultConnectionLimits } from '../connection/connection-limits.ts';
import { InMemoryKeptLists } from '../connection/in-memory-kept-lists.ts';
import { Upstream } from '../connection/upstream.ts';
import type { UpstreamOptions } from '../connection/upstream-options.ts';
import { ChildProcesses } from './child-processes.ts';
import { RealClock } from './real-clock.ts';

const oddServer = fileURLToPath(new URL('servers/odd-server.mjs', import.meta.url));
const never = new AbortController().signal;

export type PlaceOptions = Partial<Omit<UpstreamOptions, 'limits' | 'clock'>> & {
  readonly limits?: Partial<ConnectionLimits>;
  readonly clock?: Clock;
  readonly callTimeoutMs?: number;
  /** The name of the server: `odd one` when it is missing. */
  readonly name?: string;
};

/** Servers that do things wrong, each a real program. */
export class UpstreamPlace {
  readonly processes: ChildProcesses = new ChildProcesses();
  readonly clock: Clock = new RealClock();
  readonly log: string[] = [];
  directory = '';
  readonly #upstreams: Upstream[] = [];
  readonly #changed = new Set<() => void>();

  async open(): Promise<void> {
    this.directory = await mkdtemp(join(tmpdir(), 'upstream-'));
  }

  async close(): Promise<void> {
    await Promise.all(this.#upstreams.splice(0).map((upstream) => upstream.close()));
    await rm(this.directory, { recursive: true, force: true });
  }

  /** A server of a program with arguments. */
  program(command: string, words: readonly string[], options: PlaceOptions = {}): Upstream {
    return this.server(this.#transport(command, words), options);
  }

  /** The server that does this wrong; it writes what it hears to the file `heard`. */
  odd(oddity: string, options: PlaceOptions = {}): Upstream {
    return this.server(this.oddTransport(oddity), options);
  }

  /** How that server is reached. */
  oddTransport(oddity: string): ServerTransport {
    return this.#transport(process.execPath, [oddServer, oddity, join(this.directory, 'heard')]);
  }

  #transport(command: string, words: readonly string[]): ServerTransport {
    const program = { command, arguments: words, environment: {}, workingDirectory: this.directory };
    return { type: 'stdio', program };
  }

  server(transport: ServerTransport, options: PlaceOptions = {}): Upstream {
    const { limits, clock = this.clock, callTimeoutMs = 60_000, name = 'odd one', onChange, ...others } = options;
    const upstream = new Upstream({
      clock,
      processes: this.processes,
      limits: { ...defaultConnectionLimits, ...limits },
      client: { name: 'test', version: '1' },
      questions: null,
      roots: null,
      sampling: null,
      configuration: { name, callTimeoutMs, isEnabled: true },
      transport: transport.type,
      reach: async () => ({ isKnown: true, transport, fetch }),
      keptLists: new InMemoryKeptLists(),
      key: 'odd one',
      log: (line) => this.log.push(line),
      onChange: (what) => {
        onChange?.(what);
        for (const hear of this.#changed) {
          hear();
        }
        this.#changed.clear();
      },
      ...others,
    });
    this.#upstreams.push(upstream);
    return upstream;
  }

  /** Resolves when a state or a list changes to what is looked for; at once where it is so. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    for (;;) {
      const changed = new Promise<void>((resolve) => this.#changed.add(resolve));
      if (await isSo()) {
        return;
      }
      await changed;
    }
  }

  /** What the server has written down. */
  async heard(): Promise<readonly string[]> {
    const text = await readFile(join(this.directory, 'heard'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }
}

/** Calls a tool; the text of the answer, or the whole outcome where there is none. */
export async function callTool(
  upstream: Upstream,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  signal: AbortSignal = never,
): Promise<unknown> {
  const outcome: ServerReply = await upstream.request(
    { method: 'tools/call', params: { name, arguments: args }, deadlineAtMs: Number.MAX_SAFE_INTEGER },
    signal,
  );
  return outcome.type === 'answered' ? textOf(outcome.result['content']) : outcome;
}

function textOf(content: unknown): unknown {
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return typeof first === 'object' && first !== null && 'text' in first ? first.text : content;
}
