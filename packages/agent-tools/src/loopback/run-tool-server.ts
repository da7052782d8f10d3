import { createHash, randomBytes } from 'node:crypto';
import type { Clock, ModelTool, ToolCall, ToolResult, ToolRouter, ToolSessionRequest } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';
import type { McpLog } from '@gemini-mcp/mcp';
import { type ServedCall, ToolServer } from '@gemini-mcp/mcp/internal';

export type RunToolServerOptions = ToolSessionRequest & {
  readonly clock: Clock;
  readonly log: McpLog;
  readonly router: ToolRouter;
};

/** A request whose sender is authenticated as the program that the run's tools are for. */
export type ToolPost = { readonly request: Request; readonly body: unknown };

/** More concurrent calls than a model makes on purpose. */
const maxCallsAtOnce = 128;

const introduction = { name: 'lend', title: 'Tools of this run', instructions: '' };

const version = '1';

export class RunToolServer {
  readonly id: string = randomBytes(8).toString('hex');
  readonly token: string = randomBytes(32).toString('hex');
  readonly listed: Promise<void>;
  readonly toolsDigest: string;
  calls = 0;
  readonly #options: RunToolServerOptions;
  readonly #names: ReadonlyMap<string, string>;
  readonly #server: ToolServer;
  readonly #order: ArrivalOrder;
  readonly #running = new Set<AbortController>();
  #isOver = false;

  constructor(options: RunToolServerOptions) {
    const { clock, log, router } = options;
    this.#options = options;
    this.#names = new Map(router.tools.map(({ name }) => [shortName(name), name]));
    this.#order = new ArrivalOrder({ clock });
    const tools = offeredOf(router).map((tool) => ({ ...tool, name: shortName(tool.name) }));
    this.toolsDigest = createHash('sha256').update(JSON.stringify(tools)).digest('hex');
    let onListed: () => void = () => undefined;
    this.listed = new Promise((resolve) => {
      onListed = resolve;
    });
    this.#server = new ToolServer({
      clock,
      log,
      version,
      introduction,
      tools,
      call: (call, signal) => this.#call(call, signal),
      onListed,
    });
  }

  /** The expected number of the program's next request. */
  get nextNumber(): number {
    return this.#order.next;
  }

  /** Continues the program's numbering from this number. */
  goOn(nextNumber: number): void {
    this.#order.begin(nextNumber - 1);
  }

  /** Answers a POST. If `signal` aborts, the calls of this request are cancelled. */
  async post({ request, body }: ToolPost, signal: AbortSignal): Promise<Response> {
    const numbered = readNumber(body);
    if (numbered === 'unreadable') {
      return refuse('Each request needs an integer id, and batches are not supported');
    }
    if (numbered !== null) {
      const { id, method } = numbered;
      if (method === 'initialize') {
        this.#order.begin(id);
      } else if (!this.#order.claim(id)) {
        return refuse('Duplicate request id');
      } else if (method !== 'tools/call') {
        this.#order.arrive(id);
      }
    }
    return await this.#server.post(request, body, signal);
  }

  /** Ends the running calls without reporting their results. */
  async close(): Promise<void> {
    this.#isOver = true;
    for (const ending of this.#running) {
      ending.abort();
    }
    await this.#server.close();
  }

  async #call({ id, name, arguments: args }: ServedCall, signal: AbortSignal): Promise<ToolResult> {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    // Not AbortSignal.any: a signal that lives as long as the run would retain something for each call.
    this.#running.add(ending);
    signal.addEventListener('abort', end, { once: true });
    if (this.#isOver || signal.aborted) {
      end();
    }
    try {
      // Nothing else is awaited from here until the call is in its place, so calls get there in the order of their numbers.
      await this.#order.turnOf(Number(id), ending.signal);
      return await this.#carryOut(this.#names.get(name) ?? name, args, ending.signal);
    } finally {
      this.#running.delete(ending);
      signal.removeEventListener('abort', end);
    }
  }

  async #carryOut(name: string, args: ToolCall['arguments'], signal: AbortSignal): Promise<ToolResult> {
    const { router, clock, deadlineAtMs } = this.#options;
    if (signal.aborted || clock.now() >= deadlineAtMs) {
      return refused('cancelled', 'The run has ended.');
    }
    if (this.#running.size > maxCallsAtOnce) {
      return refused('too-many-calls', `${maxCallsAtOnce} calls are already running. Wait for their results.`);
    }
    this.calls += 1;
    this.#tell(name, 'started');
    const result = await router.carryOutNext({ name, arguments: args, deadlineAtMs }, signal);
    this.#tell(name, result.isDone ? 'succeeded' : 'failed');
    return result;
  }

  #tell(name: string, phase: 'started' | 'succeeded' | 'failed'): void {
    if (!this.#isOver) {
      this.#options.onStep({ type: 'tool', name, phase });
    }
  }
}

/**
 * With no tools at all the Gemini CLI sends an empty list of functions, which the API rejects. Calls to this tool fail like those to an
 * unknown one.
 */
const noTools: ModelTool = {
  name: 'no_tools',
  description: 'This run has no tools. Do not call this one.',
  inputSchema: { type: 'object', properties: {} },
  changes: false,
};

function offeredOf({ tools }: ToolRouter): readonly ModelTool[] {
  return tools.length === 0 ? [noTools] : tools;
}

/** The id and the method of a body that is a single request; null for a notification or a response. */
function readNumber(body: unknown): { readonly id: number; readonly method: string } | null | 'unreadable' {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return 'unreadable';
  }
  const { id, method }: { readonly id?: unknown; readonly method?: unknown } = body;
  if (id === undefined || method === undefined) {
    return null;
  }
  return typeof id === 'number' && Number.isSafeInteger(id) && typeof method === 'string'
    ? { id, method }
    : 'unreadable';
}

function refuse(message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_600, message } }, { status: 400 });
}

function refused(code: string, message: string): ToolResult {
  return { text: `Refused: ${message}`, data: { code, message }, isDone: false };
}

/** The Gemini CLI keeps names of up to 63 characters, nine of them for its prefix `mcp_lend_`. */
const maxCharacters = 54;

const keptCharacters = maxCharacters - 9;

/** A name that the Gemini CLI neither shortens nor confuses with another. The same input gives the same name. */
export function shortName(name: string): string {
  return name.length <= maxCharacters
    ? name
    : `${name.slice(0, keptCharacters)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/** Longer than the delay between the arrivals of two requests that were sent together. */
const patienceMs = 100;

/** A client numbers its requests in sequence: a number this far ahead is not the client's. */
const maxAhead = 1_000;

/** Tracks the requests of one client by number. They come over several connections, so one may overtake another or arrive twice. */
export class ArrivalOrder {
  readonly #clock: Clock;
  /** All numbers below have arrived or were given up. */
  #next = 0;
  /** The numbers from there on that have been claimed, and whether they have arrived in order if that was requested. */
  readonly #claimed = new Map<number, boolean>();
  readonly #givenUp = new Set<number>();
  readonly #waiting = new Map<number, () => void>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  begin(number: number): void {
    this.#next = number + 1;
    this.#claimed.clear();
    this.#givenUp.clear();
  }

  /** One more than the highest number below which all have arrived or were given up. */
  get next(): number {
    return this.#next;
  }

  /** False if a request with this number has come before, or the number cannot be the client's. */
  claim(number: number): boolean {
    if (number < this.#next) {
      return this.#givenUp.delete(number);
    }
    if (this.#claimed.has(number) || number - this.#next > maxAhead) {
      return false;
    }
    this.#claimed.set(number, false);
    return true;
  }

  arrive(number: number): void {
    if (this.#claimed.has(number)) {
      this.#claimed.set(number, true);
      this.#advance();
    }
  }

  /**
   * Like `claim`, and resolves when all earlier requests have arrived or are no longer awaited; in order of their numbers. Never rejects.
   */
  async turnOf(number: number, signal: AbortSignal): Promise<void> {
    this.arrive(number);
    if (this.#next > number || signal.aborted) {
      return;
    }
    const patience = new AbortController();
    await new Promise<void>((resolve) => {
      this.#waiting.set(number, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true, signal: patience.signal });
      void sleepUnlessAborted(this.#clock, patienceMs, patience.signal).then(
        (isOver) => isOver && this.#giveUpBelow(number),
      );
    });
    patience.abort();
    this.#waiting.delete(number);
  }

  #giveUpBelow(number: number): void {
    for (; this.#next < number; this.#next += 1) {
      if (!this.#claimed.delete(this.#next)) {
        this.#givenUp.add(this.#next);
      }
      this.#waiting.get(this.#next)?.();
    }
    this.#advance();
  }

  #advance(): void {
    while (this.#claimed.get(this.#next) === true) {
      this.#claimed.delete(this.#next);
      this.#waiting.get(this.#next)?.();
      this.#next += 1;
    }
  }
}
