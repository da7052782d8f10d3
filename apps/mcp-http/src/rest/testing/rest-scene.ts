import {
  AnswerRecords,
  AskForJson,
  AskGemini,
  AskOpinions,
  BackgroundJobs,
  CallQueue,
  Chat,
  DirectoryTools,
  PreviewContext,
  ReviewChange,
  SearchWeb,
  SessionRecords,
} from '@gemini-mcp/core';
import {
  FakeChangeReader,
  FakeClock,
  FakeExecutor,
  InMemoryContextResolver,
  ScriptedGeminiRunner,
  type ScriptedRun,
  ScriptedToolProvider,
} from '@gemini-mcp/core/testing';
import type { McpLogEntry, Surface, Tool, ToolOutcome } from '@gemini-mcp/mcp';
import { createTools, selectTools } from '@gemini-mcp/mcp/internal';
import { scopes } from '@gemini-mcp/mcp/internal/declarations';
import { Hono } from 'hono';
import type { Principal } from '../../access/principal.ts';
import type { HttpEnv } from '../../http-env.ts';
import { CallCounts } from '../../operation/readiness.ts';
import { createRestRoutes, type RestRoutesOptions } from '../create-rest-routes.ts';
import { serveOpenApi } from '../open-api-document.ts';
import { createFakeAgent } from './create-fake-agent.ts';
import { DocumentedApi } from './documented-api.ts';
import { readEvents } from './read-events.ts';

export type RestSceneOptions = {
  readonly script?: (input: string, index: number) => ScriptedRun;
  readonly tree?: Readonly<Record<string, string>>;
  /** The changes of each run of gemini_agent. Default: no changes. */
  readonly changes?: Readonly<Record<string, string>>;
  readonly maxRunning?: number;
  readonly maxQueued?: number;
  /** Default: all of them. */
  readonly toolNames?: readonly string[];
  /** In addition to the server's own. */
  readonly moreTools?: readonly Tool[];
  readonly requireScopes?: RestRoutesOptions['requireScopes'];
};

export type CallOptions = {
  readonly accept?: string;
  readonly method?: string;
  readonly signal?: AbortSignal;
};

export type Called = {
  readonly status: number;
  readonly headers: Headers;
  /** Of JSON; the events of a stream. */
  readonly body: unknown;
  readonly events: ReturnType<typeof readEvents>;
};

const modelChain = ['gemini-3.1-pro-preview', 'gemini-3.8-flash'] as const;

/** By the text of the document: compiling its schemas takes a tenth of a second. */
const documentedApis = new Map<string, DocumentedApi>();

function documentedApi(text: string): DocumentedApi {
  const documented = documentedApis.get(text) ?? new DocumentedApi(JSON.parse(text));
  documentedApis.set(text, documented);
  return documented;
}

const alice: Principal = { name: 'alice', owner: 'owner-of-alice', scopes: new Set(scopes), roots: null };

/** The paths under /api over fakes that pass the contracts, after a stand-in for the real guards. */
export class RestScene {
  readonly clock: FakeClock = new FakeClock();
  readonly runner: ScriptedGeminiRunner;
  readonly app: Hono<HttpEnv> = new Hono<HttpEnv>();
  readonly surface: Surface;
  readonly logged: McpLogEntry[] = [];
  /** For each call that has begun: resolves when it has ended. */
  readonly calls: CallCounts = new CallCounts();
  #handles = 0;
  #documented: DocumentedApi | null = null;

  constructor(options: RestSceneOptions = {}) {
    const script = options.script ?? (() => ({ chunks: ['The ', 'answer.'] }));
    this.runner = new ScriptedGeminiRunner({
      clock: this.clock,
      script: (request, index) => script(request.input, index),
    });
    this.surface = {
      tools: selectTools([...this.#createTools(options), ...(options.moreTools ?? [])], {
        names: options.toolNames ?? null,
        readOnly: false,
      }),
      prompts: [],
      resources: [],
    };
    this.#mount(options);
  }

  /** Sends a request, whatever its result. */
  async send(tool: string, args: unknown, { accept, method = 'POST', signal }: CallOptions = {}): Promise<Response> {
    const init: RequestInit = {
      method,
      headers: { 'Content-Type': 'application/json', ...(accept !== undefined && { Accept: accept }) },
      ...(method === 'POST' && { body: JSON.stringify(args) }),
      ...(signal !== undefined && { signal }),
    };
    return this.app.request(`/api/${tool}`, init);
  }

  /** Sends a request and reads the whole answer. Throws if it differs from `/openapi.json`. */
  async call(tool: string, args: unknown, options: CallOptions = {}): Promise<Called> {
    const { method = 'POST' } = options;
    const response = await this.send(tool, args, options);
    const { status, headers } = response;
    const text = await response.text();
    const isStream = headers.get('Content-Type')?.startsWith('text/event-stream') === true;
    const events = isStream ? readEvents(text) : [];
    const body: unknown = isStream ? null : JSON.parse(text);
    this.#documented ??= documentedApi(await (await this.app.request('/openapi.json')).text());
    const documented = this.#documented;
    const problems = (isStream ? events : [body]).flatMap((part) =>
      documented.problemsOf({ path: `/api/${tool}`, method, status, body: part, isEvent: isStream }),
    );
    if (problems.length > 0) {
      throw new Error(`${status} ${text} is not as documented: ${problems.join('; ')}`);
    }
    return { status, headers, body, events };
  }

  #mount({ requireScopes = () => null }: RestSceneOptions): void {
    const surfaceOf = async () => this.surface;
    this.app.use(async (context, next) => {
      context.set('requestId', 'request-1');
      context.set('principal', alice);
      context.set('body', context.req.method === 'POST' ? await context.req.json() : undefined);
      await next();
    });
    const rest = createRestRoutes({
      surfaceOf,
      requireScopes,
      clock: this.clock,
      log: (entry) => this.logged.push(entry),
      calls: this.calls,
    });
    this.app.route('/api', rest);
    this.app.get(
      '/openapi.json',
      serveOpenApi({ surfaceOf, version: '1.2.3', serverUrl: 'http://127.0.0.1:3000', oauthIssuer: null }),
    );
  }

  #createTools({ tree = {}, changes = {}, maxRunning = 4, maxQueued = 32 }: RestSceneOptions): readonly Tool[] {
    const { clock, runner } = this;
    const resolver = new InMemoryContextResolver({ tree, clock });
    const boundaryOf = () => 'b0';
    const queue = new CallQueue({ maxRunning, maxQueued });
    const sessions = new SessionRecords();
    const createHandle = () => this.#createHandle();
    const directoryTools = new DirectoryTools({
      clock,
      runner,
      executor: new FakeExecutor({ tree, workingDirectory: '/project' }),
      createRunId: createHandle,
      identify: async (directory) => directory,
      provideProjectTools: async () => new ScriptedToolProvider({ tools: [] }),
      shortageOf: () => null,
      budget: { maxSteps: 200, maxWrittenBytes: 0, maxTokens: 1_000_000 },
    });
    const asking = { clock, resolver, runner, modelChain, boundaryOf, queue, toolAttachers: [directoryTools] };
    const askGemini = new AskGemini({ ...asking, random: () => 0 });
    const askForJson = new AskForJson({ clock, askGemini, runner });
    const reader = new FakeChangeReader({ before: {}, after: tree });
    return createTools({
      askGemini,
      askForJson,
      askOpinions: new AskOpinions({ clock, askGemini, askForJson, boundaryOf }),
      reviewChange: new ReviewChange({ clock, askForJson, changes: reader, boundaryOf }),
      previewContext: new PreviewContext({ clock, resolver, runner, modelChain, boundaryOf }),
      chat: new Chat({ clock, sessions, askGemini, runner, createId: () => globalThis.crypto.randomUUID() }),
      searchWeb: new SearchWeb({ clock, askGemini, runner }),
      sessions,
      answers: new AnswerRecords({ clock, createHandle }),
      jobs: new BackgroundJobs<ToolOutcome>({ clock, createHandle, onError: rethrow }),
      clock,
      modelChain,
      agent: createFakeAgent({ clock, askGemini, tree, changes, createRunId: createHandle }),
      queryTimeoutMs: 120_000,
      chatTimeoutMs: 600_000,
      searchTimeoutMs: 60_000,
      runPolicy: { allowYolo: false, resolveDirectory: (name) => (name === null ? '/project' : `/project/${name}`) },
    });
  }

  #createHandle(): string {
    this.#handles += 1;
    return `handle${this.#handles}`;
  }
}

function rethrow(error: unknown): never {
  throw error;
}
