import type {
  JudgedTool,
  ListedTool,
  ServerReply,
  UpstreamCall,
  UpstreamListing,
  UpstreamServers,
  UpstreamSnapshot,
} from '@gemini-mcp/core/internal';

type Answer = (request: UpstreamCall, signal: AbortSignal) => ServerReply | Promise<ServerReply>;

/** Other servers that a test writes. */
export class ScriptedServers implements UpstreamServers {
  readonly requests: UpstreamCall[] = [];
  servers: readonly UpstreamSnapshot[];
  answer: Answer = ({ server, asks }) =>
    answered({ content: [{ type: 'text', text: JSON.stringify({ server, asks }) }] });
  readonly #listeners = new Set<() => void>();

  constructor(...servers: readonly UpstreamSnapshot[]) {
    this.servers = servers;
  }

  get listening(): number {
    return this.#listeners.size;
  }

  async list(): Promise<readonly UpstreamSnapshot[]> {
    return this.servers;
  }

  async request(request: UpstreamCall, signal: AbortSignal): Promise<ServerReply> {
    this.requests.push(request);
    return await this.answer(request, signal);
  }

  onChange(listener: () => void): () => void {
    const hear = (): void => listener();
    this.#listeners.add(hear);
    return () => void this.#listeners.delete(hear);
  }

  change(...servers: readonly UpstreamSnapshot[]): void {
    this.servers = servers;
    this.tell();
  }

  tell(): void {
    for (const hear of [...this.#listeners]) {
      hear();
    }
  }
}

export function answered(result: Readonly<Record<string, unknown>>): ServerReply {
  return { type: 'answered', result };
}

type ServerGiven = Partial<Omit<UpstreamSnapshot, 'lists'>> & {
  readonly name: string;
  readonly tools?: readonly (ListedTool | JudgedTool)[];
  readonly prompts?: UpstreamListing['prompts'];
  readonly resources?: UpstreamListing['resources'];
};

/** A connected server with these lists. */
export function server({ tools = [], prompts = [], resources = [], ...given }: ServerGiven): UpstreamSnapshot {
  const judged = tools.map(
    (tool): JudgedTool => ('listed' in tool ? tool : { listed: tool, judgement: { type: 'offered' } }),
  );
  return {
    transport: 'stdio',
    description: null,
    digest: `digest of ${given.name}`,
    isTrusted: false,
    isShared: false,
    state: { type: 'connected', sinceMs: 0, failures: 0 },
    listProblem: null,
    ...given,
    lists: { tools: judged, prompts, resources, instructions: null, leftOut: [], takenAtMs: 0 },
  };
}

/** A tool that takes any object. */
export function listed(name: string, more: Partial<ListedTool> = {}): ListedTool {
  return {
    name,
    title: null,
    description: `Does ${name}.`,
    inputSchema: { type: 'object' },
    outputSchema: null,
    annotations: {},
    ...more,
  };
}

export function withheld(name: string): JudgedTool {
  return { listed: listed(name), judgement: { type: 'withheld', reason: 'changed', diff: '' } };
}
