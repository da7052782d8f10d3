import type {
  AnswerStore,
  ModelTool,
  StepRefusal,
  StepToApprove,
  ToolCall,
  ToolProvider,
  ToolResult,
  TraceContext,
  WorkLog,
} from '@gemini-mcp/core';
import {
  canonicalJson,
  nearestName,
  restoreNames,
  type ServerQuestions,
  type UpstreamServers,
  type UpstreamSnapshot,
} from '@gemini-mcp/core/internal';
import { describeReply, refusedToolResult, refuseToolCall } from './describe-reply.ts';
import { findSchemaViolations } from './find-schema-violations.ts';
import { answerFindTools, declareSearch, findTools, noteOfServer, readToolCall } from './find-tools.ts';
import { searchTools } from './search-tools.ts';
import { type ShelvedTool, type ToolCatalog, ToolShelves } from './tool-catalog.ts';

export type UpstreamToolProviderOptions = {
  readonly servers: UpstreamServers;
  /** The owner of the run, who also owns saved long results. */
  readonly owner: string;
  readonly answers: AnswerStore;
  /** The servers that Gemini may use, by the user's names for them; null for all. */
  readonly names: readonly string[] | null;
  /** Whether calls of a server that the user trusts skip approval. */
  readonly countsTrust: boolean;
  /** Resolves to null if the user approves the call, otherwise to the refusal. Never rejects. */
  readonly askUser: (step: StepToApprove, signal: AbortSignal) => Promise<StepRefusal | null>;
  /** Counts the calls, and records them for the report of the run. */
  readonly log: Pick<WorkLog, 'begin' | 'exchanged' | 'note'>;
  /** Forwards servers' questions to the user; null if the user cannot be asked. */
  readonly questions: ServerQuestions | null;
  /** The names of our own tools, which a server's tool must not resemble. */
  readonly ownNames: readonly string[];
  /** The trace of the run, for the requests to servers. No trace if missing. */
  readonly trace?: TraceContext | undefined;
  /** With more tools than this, Gemini searches them instead of getting each declared. Defaults to 24. */
  readonly maxDeclared?: number;
  /** How long a list waits for servers with unknown tools. Defaults to 5 s. */
  readonly listWaitMs?: number;
};

/** A user may answer slowly, and the Gemini CLI gives up a call after ten minutes: reserve at least this much for the server. */
const callMs = 60_000;

const usualDeclared = 24;
const usualListWaitMs = 5_000;
const maxNear = 3;

/**
 * Gives Gemini the tools of other servers. Makes a call once its arguments fit the server's schema and the user has approved it, and marks the
 * result as the server's words. Refuses tools that are withheld or unfit, with the reason.
 */
export class UpstreamToolProvider implements ToolProvider {
  readonly #options: UpstreamToolProviderOptions;
  readonly #shelves: ToolShelves;
  /** Servers whose missing lists were already reported to the user. */
  readonly #unlisted = new Set<string>();

  constructor(options: UpstreamToolProviderOptions) {
    this.#options = options;
    this.#shelves = new ToolShelves(options.ownNames);
  }

  async list(signal: AbortSignal): Promise<readonly ModelTool[]> {
    signal.throwIfAborted();
    const { maxDeclared = usualDeclared, listWaitMs = usualListWaitMs } = this.#options;
    const servers = await this.#serverTools(listWaitMs, signal);
    for (const server of servers.filter(({ name, lists }) => lists === null && !this.#unlisted.has(name))) {
      this.#unlisted.add(server.name);
      this.#options.log.note(noteOfServer(server));
    }
    const { tools } = this.#shelves.of(servers);
    return tools.length > maxDeclared ? declareSearch(servers) : tools.map(({ modelTool }) => modelTool);
  }

  async call(call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    if (signal.aborted) {
      return cancelled;
    }
    const { listWaitMs = usualListWaitMs, log } = this.#options;
    let servers: readonly UpstreamSnapshot[];
    try {
      servers = await this.#serverTools(listWaitMs, signal);
    } catch {
      return cancelled;
    }
    const catalog = this.#shelves.of(servers);
    const result =
      call.name === findTools
        ? this.#find(call, catalog, servers)
        : await this.#callNamed(call, { catalog, servers }, signal);
    log.exchanged(result.text.length + JSON.stringify(call.arguments).length);
    return result;
  }

  onChange(listener: () => void): () => void {
    return this.#options.servers.onChange(listener);
  }

  async #serverTools(waitMs: number, signal: AbortSignal): Promise<readonly UpstreamSnapshot[]> {
    const { servers, names } = this.#options;
    const all = await servers.list({ waitMs }, signal);
    return names === null ? all : all.filter(({ name }) => names.includes(name));
  }

  #find({ arguments: args }: ToolCall, catalog: ToolCatalog, servers: readonly UpstreamSnapshot[]): ToolResult {
    const subject = typeof args['query'] === 'string' ? args['query'] : '';
    const step = this.#options.log.begin({ tool: findTools, subject, ...quiet });
    if ('code' in step) {
      return refusedToolResult(step);
    }
    const result = answerFindTools(args, catalog, servers);
    step.end({ type: 'done', summary: '' });
    return result;
  }

  async #callNamed(
    call: ToolCall,
    { catalog, servers }: { readonly catalog: ToolCatalog; readonly servers: readonly UpstreamSnapshot[] },
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const read = readToolCall(call, catalog);
    if (read.refusal !== null) {
      return refusedToolResult(read.refusal);
    }
    const { name, args } = read;
    const tool = catalog.byName.get(name);
    const server = servers.find((one) => one.name === tool?.server);
    if (tool === undefined || server === undefined) {
      return refusedToolResult(refuseName(name, catalog));
    }
    const restored = restoreNames(args, tool.originals);
    const violations = await findSchemaViolations(tool.inputSchema, restored);
    if (violations.length > 0) {
      const problems = violations.map((problem) => `\n- ${problem}`).join('');
      return refusedToolResult(
        refuseToolCall('invalid-arguments', `The arguments do not match the schema of ${name}.${problems}`),
      );
    }
    return await this.#take(call, { tool, server, args: restored }, signal);
  }

  async #take(call: ToolCall, made: MadeCall, signal: AbortSignal): Promise<ToolResult> {
    const { tool, server, args } = made;
    const step = this.#options.log.begin({
      tool: tool.modelTool.name,
      subject: canonicalJson(args),
      changes: true,
      takesLong: true,
      writtenBytes: 0,
      server: { server: tool.server, tool: tool.tool },
    });
    if ('code' in step) {
      return refusedToolResult(step);
    }
    const refusal = (await this.#askUser(made, signal)) ?? (await this.#findChange(made, signal));
    if (refusal !== null) {
      step.end({ type: 'refused', refusal });
      return refusedToolResult(refusal);
    }
    const { servers, questions, trace } = this.#options;
    const reply = await servers.request(
      {
        server: server.name,
        asks: { type: 'tool', tool: tool.tool, arguments: args },
        deadlineAtMs: call.deadlineAtMs,
        onProgress: call.onProgress,
        questions,
        trace,
      },
      signal,
    );
    const { result, summary, wasSent } = await describeReply(reply, tool, this.#options, signal);
    step.end(wasSent ? { type: 'done', summary } : { type: 'refused', refusal: { code: 'failed', message: summary } });
    return result;
  }

  async #askUser({ tool, server, args }: MadeCall, signal: AbortSignal): Promise<StepRefusal | null> {
    const { askUser, countsTrust } = this.#options;
    if (countsTrust && server.isTrusted) {
      return null;
    }
    const call = {
      server: server.name,
      digest: server.digest,
      tool: tool.tool,
      arguments: args,
      warnings: tool.warnings,
    };
    const reason = server.isTrusted
      ? 'This run must not change anything, so trust in the server is not enough.'
      : "Each call of another server's tool needs your approval.";
    return await askUser({ type: 'tool', call, reason, timeMs: callMs }, signal);
  }

  /** The approval is for this server, not for another one that has its name by now. */
  async #findChange({ server }: MadeCall, signal: AbortSignal): Promise<StepRefusal | null> {
    const now = await this.#serverTools(0, signal).catch(() => []);
    const isTheSame = now.some(({ name, digest }) => name === server.name && digest === server.digest);
    return isTheSame ? null : refuseToolCall('failed', 'The settings of the server changed during the call.');
  }
}

/** A call in the form that the server gets. */
type MadeCall = {
  readonly tool: ShelvedTool;
  readonly server: UpstreamSnapshot;
  readonly args: Readonly<Record<string, unknown>>;
};

const quiet = { changes: false, takesLong: false, writtenBytes: 0 } as const;

const cancelled: ToolResult = refusedToolResult(refuseToolCall('cancelled', 'The call was cancelled before it began.'));

function refuseName(name: string, catalog: ToolCatalog): StepRefusal {
  const kept = catalog.keptBack.get(name);
  if (kept !== undefined) {
    return refuseToolCall('needs-approval', kept.reason, 'Continue without it, and tell the user.');
  }
  const nearest = nearestName(name.slice(0, 100), [...catalog.byName.keys()]);
  const found = searchTools({ tools: catalog.tools, text: name, max: maxNear }).map(({ modelTool }) => modelTool.name);
  const near = nearest === null ? found : [nearest];
  const hint = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}?`;
  return refuseToolCall('not-found', 'No server has such a tool.', hint);
}
