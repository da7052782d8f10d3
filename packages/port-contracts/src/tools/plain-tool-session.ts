import { createHash, randomBytes } from 'node:crypto';
import type { Clock, ModelTool, ToolResult, ToolRouter, ToolSession, ToolSessionRequest } from '@gemini-mcp/core';
import { createMoment, type Moment } from '../create-moment.ts';
import { isJsonRecord, type JsonRecord } from '../offline-api/index.ts';

export type PlainToolSessionOptions = ToolSessionRequest & {
  readonly clock: Clock;
  readonly router: ToolRouter;
  readonly url: string;
};

/** An answer to one message; null for a message without one. */
type PlainAnswer = JsonRecord | 'refused' | 'over' | null;

/** The tools of one run, and its calls. */
export class PlainToolSession implements ToolSession {
  readonly token: string = randomBytes(32).toString('hex');
  readonly listed: Promise<void>;
  readonly toolsDigest: string;
  calls = 0;
  nextNumber = 0;
  readonly #options: PlainToolSessionOptions;
  readonly #over = new AbortController();
  readonly #listing = createMoment();
  readonly #ending = createMoment();
  readonly #seen = new Set<number>();
  readonly #arrivals = new Map<number, Moment>();

  constructor(options: PlainToolSessionOptions) {
    this.#options = options;
    this.listed = this.#listing.came;
    this.toolsDigest = createHash('sha256').update(JSON.stringify(options.router.tools)).digest('hex');
  }

  get url(): string {
    return this.#options.url;
  }

  /** Aborted when the run is closed. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  async close(): Promise<void> {
    this.#over.abort();
    this.#ending.come();
  }

  goOn(nextNumber: number): void {
    this.#arrivalOf(nextNumber - 1).come();
  }

  /** Answers one message of the program. */
  async answer({ id, method, params }: JsonRecord): Promise<PlainAnswer> {
    if (id === undefined) {
      return null;
    }
    if (typeof id !== 'number' || (await this.#isRepeated(id, method === 'initialize'))) {
      return 'refused';
    }
    const result = await this.#resultOf(method, isJsonRecord(params) ? params : {});
    return this.over.aborted ? 'over' : { jsonrpc: '2.0', id, ...result };
  }

  /** Waits for the one before it, too. */
  async #isRepeated(id: number, isFirst: boolean): Promise<boolean> {
    if (isFirst) {
      this.#seen.clear();
      this.#arrivals.clear();
    }
    if (this.#seen.has(id)) {
      return true;
    }
    this.#seen.add(id);
    this.nextNumber = Math.max(this.nextNumber, id + 1);
    if (!isFirst) {
      await Promise.race([this.#arrivalOf(id - 1).came, this.#ending.came]);
    }
    this.#arrivalOf(id).come();
    return false;
  }

  #arrivalOf(id: number): Moment {
    const arrival = this.#arrivals.get(id) ?? createMoment();
    this.#arrivals.set(id, arrival);
    return arrival;
  }

  async #resultOf(method: unknown, params: JsonRecord): Promise<JsonRecord> {
    switch (method) {
      case 'initialize': {
        const { protocolVersion } = params;
        return {
          result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'plain', version: '1' } },
        };
      }
      case 'tools/list':
        this.#listing.come();
        return { result: { tools: this.#options.router.tools.map(listTool) } };
      case 'tools/call':
        return { result: toCallResult(await this.#call(params)) };
      case 'ping':
        return { result: {} };
      default:
        return { error: { code: -32_601, message: 'Method not found' } };
    }
  }

  async #call({ name, arguments: given }: JsonRecord): Promise<ToolResult> {
    const { router, clock, deadlineAtMs, onStep } = this.#options;
    if (clock.now() >= deadlineAtMs || typeof name !== 'string') {
      return { text: 'Refused: the run has ended.', data: { code: 'cancelled' }, isDone: false };
    }
    const tell = (phase: 'started' | 'succeeded' | 'failed'): void =>
      this.over.aborted ? undefined : onStep({ type: 'tool', name, phase });
    this.calls += 1;
    tell('started');
    const args = withoutAdded(
      isJsonRecord(given) ? given : {},
      router.tools.find((tool) => tool.name === name),
    );
    const result = await router.carryOutNext({ name, arguments: args, deadlineAtMs }, this.over);
    tell(result.isDone ? 'succeeded' : 'failed');
    return result;
  }
}

function listTool({ name, description, inputSchema }: ModelTool): JsonRecord {
  return { name, description, inputSchema };
}

function withoutAdded(args: JsonRecord, tool: ModelTool | undefined): JsonRecord {
  const { properties } = tool?.inputSchema ?? {};
  const { wait_for_previous: added, ...others } = args;
  return isJsonRecord(properties) && 'wait_for_previous' in properties ? args : others;
}

function toCallResult({ text, data, media = [] }: ToolResult): JsonRecord {
  const blocks = media.map(({ mediaType, bytes }) => ({
    type: 'image',
    mimeType: mediaType,
    data: Buffer.from(bytes).toString('base64'),
  }));
  return { content: [{ type: 'text', text }, ...blocks], structuredContent: data };
}
