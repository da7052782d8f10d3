import type {
  AnswerStore,
  ModelTool,
  StepRefusal,
  StepToApprove,
  ToolCall,
  ToolProvider,
  ToolResult,
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
import { describeReply, refuse, refusedResult } from './describe-reply.ts';
import { findSchemaViolations } from './find-schema-violations.ts';
import { answerFindTools, declareSearch, findTools, noteOfServer, readCall } from './find-tools.ts';
import { searchTools } from './search-tools.ts';
import { type ShelvedTool, type ToolCatalog, ToolShelves } from './tool-catalog.ts';

export type UpstreamToolProviderOptions = {
  readonly servers: UpstreamServers;
  /** Whose the run is: what is too long for a result is kept for them. */
  readonly owner: string;
  readonly answers: AnswerStore;
  /** The servers that are lent, by the names that the user gave them; null for all. */
  readonly names: readonly string[] | null;
  /** Whether calls of a server that the user trusts need no answer of theirs. */
  readonly countsTrust: boolean;
  /** Resolves to null where the user allows a call, otherwise to why it is not made. Never rejects. */
  readonly askUser: (step: StepToApprove, signal: AbortSignal) => Promise<StepRefusal | null>;
  /** Counts the calls, and keeps them for the account of the run. */
  readonly log: Pick<WorkLog, 'begin' | 'exchanged' | 'note'>;
  /** Passes on what servers ask of the user meanwhile; null where no user can be asked. */
  readonly questions: ServerQuestions | null;
  /** Tools of ours, with which those of a server may be mixed up. */
  readonly ownNames: readonly string[];
  /** More tools than these are found by a search, in place of being declared each: 24 when it is missing. */
  readonly maxDeclared?: number;
  /** How long a list waits for servers of which nothing is known yet: 5 s when it is missing. */
  readonly listWaitMs?: number;
};

/** A user may take long to answer, and the Gemini CLI gives a call up after ten minutes: the server has this much of them at least. */
const callMs = 60_000;

const usualDeclared = 24;
const usualListWaitMs = 5_000;
const maxNear = 3;

/**
 * Lends Gemini the tools of other servers. A call is made when its arguments fit the schema of the server and the user has allowed it, and what
 * came of it is told as a stranger's words. Tools that are withheld or cannot be lent are refused with the reason.
 */
export class UpstreamToolProvider implements ToolProvider {
  readonly #options: UpstreamToolProviderOptions;
  readonly #shelves: ToolShelves;
  /** Those whose user was told that nothing of them is lent. */
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
    return tools.length > maxDeclared ? declareSearch(servers) : tools.map(({ lent }) => lent);
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
      return refusedResult(step);
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
    const read = readCall(call, catalog);
    if (read.refusal !== null) {
      return refusedResult(read.refusal);
    }
    const { name, args } = read;
    const tool = catalog.byName.get(name);
    const server = servers.find((one) => one.name === tool?.server);
    if (tool === undefined || server === undefined) {
      return refusedResult(refuseName(name, catalog));
    }
    const restored = restoreNames(args, tool.originals);
    const violations = await findSchemaViolations(tool.inputSchema, restored);
    if (violations.length > 0) {
      const problems = violations.map((problem) => `\n- ${problem}`).join('');
      return refusedResult(refuse('invalid-arguments', `The arguments do not fit the schema of ${name}.${problems}`));
    }
    return await this.#take(call, { tool, server, args: restored }, signal);
  }

  async #take(call: ToolCall, made: MadeCall, signal: AbortSignal): Promise<ToolResult> {
    const { tool, server, args } = made;
    const step = this.#options.log.begin({
      tool: tool.lent.name,
      subject: canonicalJson(args),
      changes: true,
      takesLong: true,
      writtenBytes: 0,
      server: { server: tool.server, tool: tool.tool },
    });
    if ('code' in step) {
      return refusedResult(step);
    }
    const refusal = (await this.#askUser(made, signal)) ?? (await this.#findChange(made, signal));
    if (refusal !== null) {
      step.end({ type: 'refused', refusal });
      return refusedResult(refusal);
    }
    const { servers, questions } = this.#options;
    const reply = await servers.request(
      {
        server: server.name,
        asks: { type: 'tool', tool: tool.tool, arguments: args },
        deadlineAtMs: call.deadlineAtMs,
        onProgress: call.onProgress,
        questions,
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
      ? 'This run is to change nothing, so that trust in the server is not enough.'
      : "Each call of another server's tool needs your consent.";
    return await askUser({ type: 'tool', call, reason, timeMs: callMs }, signal);
  }

  /** What was allowed is that server, and not another one that has its name by now. */
  async #findChange({ server }: MadeCall, signal: AbortSignal): Promise<StepRefusal | null> {
    const now = await this.#serverTools(0, signal).catch(() => []);
    const isTheSame = now.some(({ name, digest }) => name === server.name && digest === server.digest);
    return isTheSame ? null : refuse('failed', 'The settings of its server have changed since the call was begun.');
  }
}

/** A call as the server will get it. */
type MadeCall = {
  readonly tool: ShelvedTool;
  readonly server: UpstreamSnapshot;
  readonly args: Readonly<Record<string, unknown>>;
};

const quiet = { changes: false, takesLong: false, writtenBytes: 0 } as const;

const cancelled: ToolResult = refusedResult(refuse('cancelled', 'The call was cancelled before it began.'));

function refuseName(name: string, catalog: ToolCatalog): StepRefusal {
  const kept = catalog.keptBack.get(name);
  if (kept !== undefined) {
    return refuse('needs-approval', kept.reason, 'Go on without it, and tell the user.');
  }
  const nearest = nearestName(name.slice(0, 100), [...catalog.byName.keys()]);
  const found = searchTools({ tools: catalog.tools, text: name, max: maxNear }).map(({ lent }) => lent.name);
  const near = nearest === null ? found : [nearest];
  const hint = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}?`;
  return refuse('not-found', 'No server has such a tool.', hint);
}
