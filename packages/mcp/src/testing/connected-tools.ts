import {
  AnswerRecords,
  AskForJson,
  AskGemini,
  AskOpinions,
  type Attempt,
  BackgroundJobs,
  CallQueue,
  Chat,
  DirectoryTools,
  PreviewContext,
  ReviewChange,
  type RunnerCapabilities,
  SearchWeb,
  SessionRecords,
  WorkOnTask,
  type Workspace,
  type WorkspaceOptions,
} from '@gemini-mcp/core';
import {
  approvalsInMemory,
  FakeChangeReader,
  FakeClock,
  FakeExecutor,
  InMemoryContextResolver,
  ScriptedGeminiRunner,
  type ScriptedRun,
  ScriptedToolProvider,
} from '@gemini-mcp/core/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer } from '../edges/legacy/create-mcp-server.ts';
import type { Tool, ToolOutcome } from '../surface/tool.ts';
import { createTools, type ToolsOptions } from '../tools/create-tools.ts';
import type { AgentPolicy } from '../tools/gemini-agent-tool.ts';
import type { RunPolicy } from '../tools/run-settings-of.ts';

export type ConnectedToolsOptions = {
  readonly script?: (input: string, index: number) => ScriptedRun;
  readonly tree?: Readonly<Record<string, string>>;
  readonly runPolicy?: Partial<RunPolicy>;
  readonly maxRunning?: number;
  readonly maxQueued?: number;
  readonly failureWords?: ToolsOptions['failureWords'];
  /** What the operator lets Gemini do in projects; everything but the network when it is missing. */
  readonly agent?: Partial<AgentPolicy>;
  /** The files that each run changes; none if missing. */
  readonly changes?: Readonly<Record<string, string>>;
  /** The files before the change that gemini_review reads; those of `tree` are after it. `tree` if missing. */
  readonly before?: Readonly<Record<string, string>>;
  /** The capabilities that the tools see. The runner here can do everything. */
  readonly capabilities?: Partial<RunnerCapabilities>;
};

export type CallOptions = {
  readonly client?: Client;
  readonly signal?: AbortSignal;
  readonly meta?: Record<string, unknown>;
};

/** What a client gets: the text of each block, and all of them together. */
export type Called = ToolOutcome & { readonly parts: readonly string[] };

/** Every tool over fakes that pass the contracts, called as clients call them. */
export class ConnectedTools {
  readonly clock: FakeClock = new FakeClock();
  readonly runner: ScriptedGeminiRunner;
  readonly sessions: SessionRecords;
  readonly answers: AnswerRecords;
  readonly jobs: BackgroundJobs<ToolOutcome>;
  readonly attempts: Attempt[] = [];
  readonly executor: FakeExecutor;
  /** The projects that were opened, in order. */
  readonly opened: WorkspaceOptions[] = [];
  readonly #options: ConnectedToolsOptions;
  readonly #resolver: InMemoryContextResolver;
  readonly #askGemini: AskGemini;
  readonly #chat: Chat;
  #handles = 0;

  constructor(options: ConnectedToolsOptions = {}) {
    const { clock } = this;
    const script = options.script ?? (() => ({ chunks: ['The answer.'] }));
    this.#options = options;
    this.executor = new FakeExecutor({
      tree: options.tree ?? {},
      workingDirectory: '/project',
      sandbox: { available: false, reason: 'missing', detail: 'There is no sandbox here.' },
    });
    this.sessions = new SessionRecords();
    this.answers = new AnswerRecords({ clock, createHandle: () => this.#createHandle('answer') });
    this.jobs = new BackgroundJobs({ clock, createHandle: () => this.#createHandle('job'), onError: rethrow });
    this.runner = new ScriptedGeminiRunner({
      clock,
      script: (request, index) => script(request.input, index),
    });
    this.#resolver = new InMemoryContextResolver({ tree: options.tree ?? {}, clock });
    this.#askGemini = new AskGemini({
      clock,
      resolver: this.#resolver,
      runner: this.runner,
      modelChain: ['gemini-3.1-pro-preview', 'gemini-3.8-flash'],
      random: () => 0,
      boundaryOf: () => 'b0',
      queue: new CallQueue({ maxRunning: options.maxRunning ?? 4, maxQueued: options.maxQueued ?? 32 }),
      onAttempt: (attempt) => this.attempts.push(attempt),
      toolAttachers: [this.#lendDirectories()],
    });
    this.#chat = new Chat({
      clock,
      sessions: this.sessions,
      askGemini: this.#askGemini,
      runner: this.runner,
      createId: () => globalThis.crypto.randomUUID(),
    });
  }

  /** What tools/list shows, in no order. */
  get tools(): readonly Tool[] {
    return this.#createTools();
  }

  /** Connects one more client; its calls belong to an owner of its name. What differs for it from the policy is given. */
  async connect(name = 'alice', runPolicy: Partial<RunPolicy> = {}): Promise<Client> {
    const server = createMcpServer({
      version: '1.2.3',
      surface: { tools: this.#createTools(runPolicy), prompts: [], resources: [] },
      clock: this.clock,
      log: ({ error }) => rethrow(error),
      ownerOf: (clientName) => clientName ?? '',
    });
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await server.connect(serverSide);
    const client = new Client({ name, version: '1' });
    await client.connect(clientSide);
    return client;
  }

  /** Calls a tool as `alice`, unless another client is given. */
  async call(
    name: string,
    args: Record<string, unknown>,
    { client, signal, meta: _meta }: CallOptions = {},
  ): Promise<Called> {
    const caller = client ?? (await this.connect());
    const options = signal === undefined ? {} : { signal };
    const result = await caller.callTool({ name, arguments: args, _meta }, CallToolResultSchema, options);
    const { content, isError = false, _meta: meta } = CallToolResultSchema.parse(result);
    const parts = content.map((part) => (part.type === 'text' ? part.text : part.type));
    return { parts, text: parts.join('\n'), isError, ...(meta !== undefined && { meta }) };
  }

  #createTools(runPolicy: Partial<RunPolicy> = {}): readonly Tool[] {
    const { clock, answers, jobs, runner } = this;
    const askGemini = this.#askGemini;
    const modelChain = ['gemini-3.1-pro-preview', 'gemini-3.8-flash'] as const;
    const askForJson = new AskForJson({ clock, askGemini, runner });
    const { tree = {}, before = tree } = this.#options;
    return createTools({
      sessions: this.sessions,
      askGemini,
      askForJson,
      askOpinions: new AskOpinions({ clock, askGemini, askForJson, boundaryOf: () => 'b0' }),
      reviewChange: new ReviewChange({
        clock,
        askForJson,
        changes: new FakeChangeReader({ before, after: tree }),
        boundaryOf: () => 'b0',
      }),
      previewContext: new PreviewContext({
        clock,
        resolver: this.#resolver,
        runner,
        modelChain,
        boundaryOf: () => 'b0',
      }),
      chat: this.#chat,
      searchWeb: new SearchWeb({ clock, askGemini, runner }),
      answers,
      jobs,
      clock,
      modelChain,
      queryTimeoutMs: 120_000,
      chatTimeoutMs: 600_000,
      searchTimeoutMs: 60_000,
      agent: this.#createAgent(),
      ...(this.#options.capabilities !== undefined && { capabilities: this.#options.capabilities }),
      ...(this.#options.failureWords !== undefined && { failureWords: this.#options.failureWords }),
      runPolicy: {
        allowYolo: false,
        resolveDirectory: (name) => (name === null ? '/project' : `/project/${name}`),
        ...this.#options.runPolicy,
        ...runPolicy,
      },
    });
  }

  #lendDirectories(): DirectoryTools {
    const { clock, runner, executor, opened } = this;
    return new DirectoryTools({
      clock,
      runner,
      executor: {
        open: (options, signal) => {
          opened.push(options);
          return executor.open(options, signal);
        },
      },
      createRunId: () => this.#createHandle('look'),
      identify: async (directory) => directory,
      provideProjectTools: async () => new ScriptedToolProvider({ tools: [] }),
      shortageOf: () => null,
      budget: { maxSteps: 200, maxWrittenBytes: 0, maxTokens: 1_000_000 },
    });
  }

  #createAgent(): NonNullable<ToolsOptions['agent']> {
    const { clock, executor } = this;
    return {
      workOnTask: new WorkOnTask({
        clock,
        executor,
        askGemini: this.#askGemini,
        createRunId: () => this.#createHandle('run'),
        approvals: approvalsInMemory(),
        offersLasting: true,
        realPathOf: async (directory) => directory,
        provideProjectTools: async ({ workspace }) => this.#lend(workspace),
      }),
      undo: (request, signal) => executor.undo(request, signal),
      mode: 'full',
      allowsNetwork: false,
      budget: { maxSteps: 200, maxWrittenBytes: 1_000_000, maxTokens: 1_000_000 },
      timeoutMs: 900_000,
      ...this.#options.agent,
    };
  }

  /** A run makes its changes when it asks for its tools, and gets no tools: those of a real run belong to another package. */
  async #lend(workspace: Workspace): Promise<ScriptedToolProvider> {
    for (const [path, content] of Object.entries(this.#options.changes ?? {})) {
      await workspace.putFile({ path, content }, new AbortController().signal);
    }
    return new ScriptedToolProvider({ tools: [] });
  }

  #createHandle(kind: string): string {
    this.#handles += 1;
    return `${kind}${this.#handles}`;
  }
}

function rethrow(error: unknown): never {
  throw error;
}
