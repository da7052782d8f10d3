import { setTimeout as pause } from 'node:timers/promises';
import type { Script } from './record-scripts.ts';

export type ValkeyConnectionOptions = {
  /** `redis://` or `rediss://` (TLS), with host, and optionally user, port and the number of a database. */
  readonly url: URL;
  /** Called for each connection, so that a changed password counts. Null for no password. */
  readonly readPassword: () => Promise<string | null>;
  /** How long a call waits for the server. Defaults to 900, which leaves the caller room within a second. */
  readonly patienceMs?: number;
};

const defaultPatienceMs = 900;

/** A process that is held up itself, on a busy machine or one that sleeps, counts only its own steps, and blames no server. */
const stepMs = 100;

const pausesMs = [10, 20, 40, 80, 160];

/** What we use of `RedisClientType`. */
type Client = {
  connect(): Promise<unknown>;
  destroy(): void;
  unref(): void;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  sendCommand(args: readonly string[]): Promise<unknown>;
};

type Link = {
  /** Null before it is created. */
  client: Client | null;
  isClosed: boolean;
  /** Why the library closed it; null if it has not. */
  failure: unknown;
  opened: Promise<Opened>;
};

type Opened = {
  readonly client: Client;
  /** How far the server's clock is ahead of ours, at least. */
  readonly aheadMs: number;
};

type Call = {
  readonly script: Script;
  readonly args: readonly string[];
  leftMs: number;
  /** Of the last try. */
  failure: unknown;
};

/** The server did not answer in time. */
export class SilentStoreError extends Error {
  override readonly name = 'SilentStoreError';
}

/** The server is too old. `message` is its version. */
export class OldStoreError extends Error {
  override readonly name = 'OldStoreError';
}

/** There is no password to send. `message` says why, after the words `because` or a colon. */
export class PasswordError extends Error {
  override readonly name = 'PasswordError';
}

/**
 * One connection to the server, opened when it is needed. Does not keep the process alive by itself. The library's own reconnecting would:
 * it retries for ever, and queues commands meanwhile.
 */
export class ValkeyConnection {
  readonly #options: ValkeyConnectionOptions;
  #link: Link | null = null;
  /** Whether the server was unreachable for a whole call. Then the next ones try once. */
  #isAway = false;

  constructor(options: ValkeyConnectionOptions) {
    this.#options = options;
  }

  /**
   * Runs a script, whose first argument is the time by which it must begin. Tries again when a connection is lost, so a script must be
   * fit to run twice. Rejects within a second.
   */
  async run(script: Script, args: readonly string[]): Promise<unknown> {
    await import('@redis/client');
    const { patienceMs: leftMs = defaultPatienceMs } = this.#options;
    const call = { script, args, leftMs, failure: new SilentStoreError() };
    const over = new AbortController();
    const silence = this.#waitUntilOver(call, over.signal);
    silence.catch(() => undefined);
    try {
      const reply = await Promise.race([this.#tryUntilOver(call), silence]);
      this.#isAway = false;
      return reply;
    } catch (error) {
      this.#isAway = !isReply(error);
      throw error;
    } finally {
      call.leftMs = 0;
      over.abort();
    }
  }

  /** Ends the connection. The next call opens another one. */
  close(): void {
    if (this.#link !== null) {
      this.#close(this.#link);
    }
  }

  /** Rejects when the time of the call is over. */
  async #waitUntilOver(call: Call, signal: AbortSignal): Promise<never> {
    while (call.leftMs > 0) {
      await pause(stepMs, undefined, { signal });
      call.leftMs -= stepMs;
    }
    // A connection that is half open stays silent for minutes.
    this.close();
    throw call.failure;
  }

  async #tryUntilOver(call: Call): Promise<unknown> {
    for (let tries = 0; ; tries += 1) {
      const reply = await this.#try(call);
      if (reply !== undefined) {
        return reply;
      }
      const pauseMs = pausesMs[tries] ?? 160;
      if (this.#isAway || isFinal(call.failure) || call.leftMs <= pauseMs) {
        throw call.failure;
      }
      await pause(pauseMs);
    }
  }

  /** Resolves to undefined if it failed. */
  async #try(call: Call): Promise<unknown> {
    this.#link ??= this.#open();
    const link = this.#link;
    try {
      const { client, aheadMs } = await link.opened;
      // The step that has begun may be nearly over.
      const deadlineMs = Date.now() + call.leftMs - stepMs + aheadMs;
      const reply = await evaluate(client, call.script, [String(deadlineMs), ...call.args]);
      if (reply !== 'late') {
        return reply;
      }
      // One of the clocks was set meanwhile: the next connection compares them again.
      this.#close(link);
    } catch (error) {
      // Commands in a link that we closed are rejected for that alone.
      call.failure = link.failure ?? (link.isClosed ? call.failure : error);
      if (!isReply(error) || ofThisServer.test(error.message)) {
        this.#close(link);
      }
    }
    return undefined;
  }

  #open(): Link {
    const link = { client: null, isClosed: false, failure: null };
    const opened = this.#connect(link);
    opened.catch((error: unknown) => this.#fail(link, error));
    return Object.assign(link, { opened });
  }

  async #connect(link: Omit<Link, 'opened'>): Promise<Opened> {
    const { url, readPassword } = this.#options;
    const [{ createClient }, password] = await Promise.all([
      import('@redis/client'),
      readPassword().catch((error: unknown) => {
        throw new PasswordError(error instanceof Error ? error.message : String(error));
      }),
    ]);
    const client: Client = createClient({
      RESP: 2,
      disableClientInfo: true,
      disableOfflineQueue: true,
      database: Number(url.pathname.slice(1)),
      ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
      ...(password !== null && { password }),
      socket: {
        host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: Number(url.port || 6379),
        reconnectStrategy: false,
        ...(url.protocol === 'rediss:' && { tls: true }),
      },
    });
    link.client = client;
    client.on('error', (error) => this.#fail(link, error));
    client.unref();
    if (link.isClosed) {
      throw new SilentStoreError();
    }
    await client.connect();
    return { client, aheadMs: await measure(client) };
  }

  #fail(link: Omit<Link, 'opened'>, error: unknown): void {
    if (!link.isClosed) {
      link.failure = error;
      this.#close(link);
    }
  }

  #close(link: Omit<Link, 'opened'>): void {
    if (!link.isClosed) {
      link.isClosed = true;
      link.client?.destroy();
    }
    if (this.#link === link) {
      this.#link = null;
    }
  }
}

async function evaluate(client: Client, { text, sha }: Script, args: readonly string[]): Promise<unknown> {
  try {
    return await client.sendCommand(['EVALSHA', sha, '0', ...args]);
  } catch (error) {
    if (isReply(error) && error.message.startsWith('NOSCRIPT')) {
      return await client.sendCommand(['EVAL', text, '0', ...args]);
    }
    throw error;
  }
}

/** Redis before 7.0 has no version in Lua; Valkey gives the one of Redis that it is compatible with. */
const askVersionAndTime = `local time = redis.call('TIME') return { redis.REDIS_VERSION or '', time[1], time[2] }`;

/** Resolves to how far the server's clock is ahead, at least. Rejects if the server is too old. */
async function measure(client: Client): Promise<number> {
  const reply = await client.sendCommand(['EVAL', askVersionAndTime, '0']);
  const [version, seconds, microseconds] = reply as readonly [string, string, string];
  if (!(Number.parseInt(version, 10) >= 7)) {
    throw new OldStoreError(version === '' ? 'older than 7.0' : version);
  }
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000 - Date.now();
}

/** Whether the server itself refused, and not the way to it. */
function isReply(error: unknown): error is Error {
  return error instanceof Error && /^[A-Z]+ /.test(error.message) && !('code' in error);
}

/** What a server says that is about to be replaced by another one, or that is about to be ready. */
const ofThisServer = /^(?:READONLY|MASTERDOWN|LOADING) /;
const passing = /^(?:LOADING|BUSY) /;

function isFinal(error: unknown): boolean {
  return (
    error instanceof OldStoreError || error instanceof PasswordError || (isReply(error) && !passing.test(error.message))
  );
}
