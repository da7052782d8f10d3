import {
  type Clock,
  excerptFrom,
  type GeminiFailure,
  type GeminiRunner,
  plainRunSettings,
  type RunEvent,
  type RunnerCapabilities,
  type RunRequest,
  readGoogleError,
  refuseRequest,
  type TokenCount,
} from '@gemini-mcp/core';
import { ReadingPace } from '@gemini-mcp/core/internal';
import { AnswerReader } from './answer-reader.ts';
import { apiCapabilities } from './api-capabilities.ts';
import { endpointOf } from './api-endpoint.ts';
import type { ApiLogin } from './api-login.ts';
import { type ApiRunReport, RunReporter } from './api-run-report.ts';
import { hideSecret, readWithoutSecret, withoutSecret } from './hide-secret.ts';
import { connectionFailure } from './http/connection-failure.ts';
import { HttpConnections, type HttpResponse } from './http/http-connections.ts';
import { noProxies, type Proxies } from './http/proxies.ts';
import { readStart } from './http/read-start.ts';
import { type ExpectedType, refusedResponse } from './http/refused-response.ts';
import { JsonUploads } from './json-upload.ts';
import { answerWithTools, type FunctionContext, type ModelTurn } from './lending/answer-with-tools.ts';
import { refusePages } from './pages/page-reader.ts';
import { countBody, type RequestBody, requestBody } from './request-body.ts';
import { thinkingConfigOf } from './thinking-config.ts';

export type ApiGeminiRunnerOptions = {
  /** Null for none: then it carries only requests that bring a key of their own. */
  readonly login: ApiLogin | null;
  readonly clock: Clock;
  /** In the place of Google's, for keys of the Gemini API: `GOOGLE_GEMINI_BASE_URL`. */
  readonly geminiBaseUrl?: string;
  /** The same for Vertex AI: `GOOGLE_VERTEX_BASE_URL`. */
  readonly vertexBaseUrl?: string;
  /** Whether the project may log requests, as it is set up in Google AI Studio. When it is missing, each asks Google to store nothing. */
  readonly allowsGoogleLogs?: boolean;
  /** None when it is missing: the variables of the process are not read. */
  readonly proxies?: Proxies;
  /** Told of each run that is not refused; must not throw. */
  readonly onRun?: (report: ApiRunReport) => void;
};

type ApiMethod = {
  readonly name: string;
  readonly bodyOf: (request: RunRequest, login: ApiLogin) => RequestBody;
  readonly expected: ExpectedType;
};

type Asking = { readonly request: RunRequest; readonly login: ApiLogin; readonly method: ApiMethod };

/** A response that has begun as expected, or why none has. `secret` is what nothing that is said of it may hold. */
type Begun =
  | { readonly ok: true; readonly body: HttpResponse['body']; readonly secret: string }
  | { readonly ok: false; readonly failure: GeminiFailure };

/** What is made of a piece takes no longer than a slice of the pace, however much has come. */
const pieceBytes = 16_384;

type Generating = { readonly functions: FunctionContext | null; readonly allowsGoogleLogs: boolean };

/** A new project logs prompts and answers for 55 days unless each request asks it not to. Vertex AI refuses the field. */
const generating = ({ functions, allowsGoogleLogs }: Generating): ApiMethod => ({
  name: 'streamGenerateContent',
  bodyOf: (request, { type }) => ({
    ...(type === 'gemini-key' && !allowsGoogleLogs && { store: false }),
    ...requestBody(request, functions),
  }),
  expected: 'text/event-stream',
});
const counting: ApiMethod = { name: 'countTokens', bodyOf: countBody, expected: 'application/json' };

/**
 * Asks the Gemini API itself (`streamGenerateContent` and `countTokens`, v1beta), with a key or as a project of Google Cloud. Gemini
 * can use the tools in it that Google runs itself: it searches the web, and reads pages. Nothing is kept between requests but open
 * connections, which keep no program alive, and until the next collection of garbage the long texts of the last request that had any.
 */
export class ApiGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities;

  readonly #options: ApiGeminiRunnerOptions;
  readonly #connections: HttpConnections;
  readonly #uploads = new JsonUploads();

  constructor(options: ApiGeminiRunnerOptions) {
    this.#options = options;
    this.capabilities = apiCapabilities(options.login);
    this.#connections = new HttpConnections(options.proxies ?? noProxies);
  }

  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const login = this.#loginFor(request);
    if ('kind' in login) {
      yield { type: 'failure', failure: login };
      return;
    }
    const { clock, onRun = () => undefined, allowsGoogleLogs = false } = this.#options;
    const told = new RunReporter({ clock, request, onRun }, login);
    const limits = this.#limit(request, signal);
    const ask = (functions: FunctionContext | null): AsyncGenerator<RunEvent, ModelTurn | null> =>
      this.#ask({ request, login, method: generating({ functions, allowsGoogleLogs }) }, limits);
    try {
      const hasTools = (request.toolProviders?.length ?? 0) > 0;
      for await (const event of hasTools ? answerWithTools({ request, ask }, limits.signal) : ask(null)) {
        told.hear(event);
        yield event;
      }
    } catch (error) {
      const end = { type: 'failure', failure: limits.failure ?? connectionFailure(error) } as const;
      told.hear(end);
      yield end;
    } finally {
      told.close();
      await limits.end();
    }
  }

  /**
   * Asks for one turn of the model. Returns null where that ended in a failure, and where the model is offered no functions, so that its
   * turn is the answer: the end was told then.
   */
  async *#ask(asking: Asking, limits: RunLimits): AsyncGenerator<RunEvent, ModelTurn | null> {
    const begun = await this.#begin(asking, limits.signal);
    if (!begun.ok) {
      yield { type: 'failure', failure: limits.failure ?? begun.failure };
      return null;
    }
    const { model, settings, urls = [], toolProviders = [] } = asking.request;
    const [searches, callsFunctions] = [settings?.tools === 'web-search', toolProviders.length > 0];
    const reader = new AnswerReader({ model, secret: begun.secret, searches, urls, callsFunctions });
    const { clock } = this.#options;
    const pace = new ReadingPace({
      now: () => clock.now(),
      sleep: (durationMs) => clock.sleep(durationMs, limits.signal),
    });
    for await (const piece of piecesOf(begun.body)) {
      if (pace.isSpent) {
        await pace.rest();
      }
      const begunAtMs = clock.now();
      const events = reader.push(piece);
      pace.count(begunAtMs);
      yield* events;
      if (reader.hasFailed) {
        return null;
      }
    }
    if (callsFunctions) {
      return { ...reader.turn, end: () => reader.end() };
    }
    yield* reader.end();
    return null;
  }

  async countTokens(request: RunRequest, signal: AbortSignal): Promise<TokenCount> {
    const login = this.#loginFor(request);
    if ('kind' in login) {
      return { ok: false, failure: login };
    }
    const limits = this.#limit(request, signal);
    try {
      const begun = await this.#begin({ request, login, method: counting }, limits.signal);
      if (!begun.ok) {
        return { ok: false, failure: limits.failure ?? begun.failure };
      }
      return tokenCountOf(await readStart(begun.body, this.#options.clock), begun.secret);
    } catch (error) {
      return { ok: false, failure: limits.failure ?? connectionFailure(error) };
    } finally {
      await limits.end();
    }
  }

  /** Closes the connections that are kept open; runs that go on end as a failure of the network. */
  close(): Promise<void> {
    return this.#connections.close();
  }

  #limit({ deadlineAtMs }: RunRequest, signal: AbortSignal): RunLimits {
    return new RunLimits({ clock: this.#options.clock, deadlineAtMs, signal });
  }

  #loginFor(request: RunRequest): ApiLogin | GeminiFailure {
    const login = withKeyOfCall(this.#options.login, request.settings?.apiKey ?? null);
    return (
      refuseRequest(request, this.capabilities) ??
      refuseThinking(request) ??
      refusePages(request) ??
      login ?? { kind: 'unsupported', feature: 'login' }
    );
  }

  async #begin({ request, login, method }: Asking, signal: AbortSignal): Promise<Begun> {
    const { name, bodyOf, expected } = method;
    const { clock, geminiBaseUrl = null, vertexBaseUrl = null } = this.#options;
    const authorization = await authorize(login, signal);
    if (!authorization.ok) {
      return authorization;
    }
    const { headers, secret } = authorization;
    const url = endpointOf({ login, geminiBaseUrl, vertexBaseUrl }, request.model, name);
    if (expected === 'text/event-stream') {
      url.searchParams.set('alt', 'sse');
    }
    const body = this.#uploads.write(bodyOf(request, login));
    const response = await this.#connections.send({ url, headers, body }, signal);
    const failure = await refusedResponse(response, { clock, expected, secret });
    return failure === null ? { ok: true, body: response.body, secret } : { ok: false, failure };
  }
}

/** Some models cannot be told how much to think, and to leave that out would change what is asked. */
function refuseThinking({ model, settings: { thinking } = plainRunSettings }: RunRequest): GeminiFailure | null {
  return thinking === undefined || thinkingConfigOf(model, thinking) !== null
    ? null
    : { kind: 'unsupported', feature: 'thinking' };
}

async function* piecesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of body) {
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      yield bytes.subarray(start, start + pieceBytes);
    }
  }
}

/** The count in a body of `countTokens` (`CountTokensResponse` of the Gemini API, v1beta; Vertex AI has the same field). No failure holds the secret. */
function tokenCountOf(text: string, secret: string): TokenCount {
  const value = readWithoutSecret(text, secret);
  const tokens = typeof value === 'object' && value !== null && 'totalTokens' in value ? value.totalTokens : null;
  if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0) {
    return { ok: true, tokens };
  }
  const failure = readGoogleError(value) ?? {
    kind: 'malformed-output',
    excerpt: excerptFrom(withoutSecret(`No count came: ${text}`, secret)),
  };
  return { ok: false, failure: hideSecret(failure, secret) };
}

type RunLimitsOptions = { readonly clock: Clock; readonly deadlineAtMs: number; readonly signal: AbortSignal };

/** Ends a run at its deadline, when the caller gives it up, and when its consumer has gone. */
class RunLimits {
  readonly #options: RunLimitsOptions;
  readonly #over = new AbortController();
  readonly #abort = (): void => this.#over.abort();
  readonly #sleep: Promise<void>;

  constructor(options: RunLimitsOptions) {
    this.#options = options;
    const { clock, deadlineAtMs, signal } = options;
    const remainingMs = deadlineAtMs - clock.now();
    if (signal.aborted || remainingMs <= 0) {
      this.#abort();
    }
    signal.addEventListener('abort', this.#abort, { once: true });
    this.#sleep = this.#over.signal.aborted
      ? Promise.resolve()
      : clock.sleep(remainingMs, this.#over.signal).then(this.#abort, this.#abort);
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Why the run had to end; null where it did not have to. */
  get failure(): GeminiFailure | null {
    if (this.#options.signal.aborted) {
      return { kind: 'cancelled' };
    }
    return this.#over.signal.aborted ? { kind: 'timeout' } : null;
  }

  /** Resolves when no timer and no listener is left, and closes the connection where it is still open. */
  async end(): Promise<void> {
    this.#options.signal.removeEventListener('abort', this.#abort);
    this.#abort();
    await this.#sleep;
  }
}

/** The header that carries a login, and the secret in it, which nothing that is said may hold; or why there is none. */
type Authorization =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>>; readonly secret: string }
  | { readonly ok: false; readonly failure: GeminiFailure };

/** Makes the header for one request. Rejects when it is aborted, with the reason of the signal. */
async function authorize(login: ApiLogin, signal: AbortSignal): Promise<Authorization> {
  signal.throwIfAborted();
  if (login.type !== 'vertex-project') {
    return { ok: true, headers: { 'x-goog-api-key': login.apiKey }, secret: login.apiKey };
  }
  const given = await raceAbort(login.accessToken(), signal);
  return given.ok ? { ok: true, headers: { authorization: `Bearer ${given.token}` }, secret: given.token } : given;
}

/**
 * The login for a call that brings a key of its own: it takes the place of a key of the same kind, and else is one of the Gemini API.
 * Null where neither is there.
 */
function withKeyOfCall(login: ApiLogin | null, apiKey: string | null): ApiLogin | null {
  if (apiKey === null) {
    return login;
  }
  return { type: login?.type === 'vertex-key' ? 'vertex-key' : 'gemini-key', apiKey };
}

/** What the promise resolves to. Rejects at once when the signal is aborted, with its reason; the promise goes on unheard. */
function raceAbort<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
