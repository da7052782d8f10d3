import { createHash, randomBytes } from 'node:crypto';
import type { Clock, ModelTool, ToolCall, ToolResult, ToolRouter, ToolSessionRequest } from '@gemini-mcp/core';
import type { McpLog } from '@gemini-mcp/mcp';
import { type ServedCall, ToolServer } from '@gemini-mcp/mcp/internal';
import { ArrivalOrder } from './arrival-order.ts';

export type RunToolServerOptions = ToolSessionRequest & {
  readonly clock: Clock;
  readonly log: McpLog;
  readonly lent: ToolRouter;
};

/** A request whose sender has proved to be the program that the run lends to. */
export type ToolPost = { readonly request: Request; readonly body: unknown };

/** More calls at once than a model makes on purpose. */
const maxCallsAtOnce = 128;

const introduction = { name: 'lend', title: 'Tools that this run lends', instructions: '' };

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
    const { clock, log, lent } = options;
    this.#options = options;
    this.#names = new Map(lent.tools.map(({ name }) => [shortName(name), name]));
    this.#order = new ArrivalOrder({ clock });
    const tools = offeredOf(lent).map((tool) => ({ ...tool, name: shortName(tool.name) }));
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

  /** The number that the program will give to its next request. */
  get nextNumber(): number {
    return this.#order.next;
  }

  /** The program goes on counting from this number. */
  goOn(nextNumber: number): void {
    this.#order.begin(nextNumber - 1);
  }

  /** Answers a POST. Once `signal` is aborted, what runs for it is cancelled. */
  async post({ request, body }: ToolPost, signal: AbortSignal): Promise<Response> {
    const numbered = readNumber(body);
    if (numbered === 'unreadable') {
      return refuse('Every request has to have a whole number as its id, and none may come in a batch');
    }
    if (numbered !== null) {
      const { id, method } = numbered;
      if (method === 'initialize') {
        this.#order.begin(id);
      } else if (!this.#order.claim(id)) {
        return refuse('A request of this id has come before');
      } else if (method !== 'tools/call') {
        this.#order.arrive(id);
      }
    }
    return await this.#server.post(request, body, signal);
  }

  /** Ends the calls that run. Nothing is told of them. */
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
    // Not AbortSignal.any, of which a signal that lives as long as the run keeps something for each call.
    this.#running.add(ending);
    signal.addEventListener('abort', end, { once: true });
    if (this.#isOver || signal.aborted) {
      end();
    }
    try {
      // From here on nothing else is waited for until the call is in its place: calls get there in the order of their numbers.
      await this.#order.turnOf(Number(id), ending.signal);
      return await this.#carryOut(this.#names.get(name) ?? name, args, ending.signal);
    } finally {
      this.#running.delete(ending);
      signal.removeEventListener('abort', end);
    }
  }

  async #carryOut(name: string, args: ToolCall['arguments'], signal: AbortSignal): Promise<ToolResult> {
    const { lent, clock, deadlineAtMs } = this.#options;
    if (signal.aborted || clock.now() >= deadlineAtMs) {
      return refused('cancelled', 'The run has ended.');
    }
    if (this.#running.size > maxCallsAtOnce) {
      return refused('too-many-calls', `${maxCallsAtOnce} calls are under way. Wait for their results.`);
    }
    this.calls += 1;
    this.#tell(name, 'started');
    const result = await lent.carryOutNext({ name, arguments: args, deadlineAtMs }, signal);
    this.#tell(name, result.isDone ? 'succeeded' : 'failed');
    return result;
  }

  #tell(name: string, phase: 'started' | 'succeeded' | 'failed'): void {
    if (!this.#isOver) {
      this.#options.onStep({ type: 'tool', name, phase });
    }
  }
}

/** With no tool at all the Gemini CLI sends an empty list of functions, which the API refuses. A call of this one is, as of one that is not there. */
const noTools: ModelTool = {
  name: 'no_tools',
  description: 'There are no tools in this run. Do not call this one.',
  inputSchema: { type: 'object', properties: {} },
  changes: false,
};

function offeredOf({ tools }: ToolRouter): readonly ModelTool[] {
  return tools.length === 0 ? [noTools] : tools;
}

/** The id and the method of a body that is one request; null for a notification or an answer. */
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

/** Of 63, which the Gemini CLI takes whole, it needs nine for `mcp_lend_`. */
const maxCharacters = 54;

const keptCharacters = maxCharacters - 9;

/** A name that the Gemini CLI neither cuts nor takes for another: the same for the same name. */
export function shortName(name: string): string {
  return name.length <= maxCharacters
    ? name
    : `${name.slice(0, keptCharacters)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}
