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
  refuseLacking,
  type TokenCount,
} from '@gemini-mcp/core';
import { ReadingPace } from '@gemini-mcp/core/internal';
import { AnswerReader } from './answer-reader.ts';
import { apiCapabilities } from './api-capabilities.ts';
import { endpointOf } from './api-endpoint.ts';
import type { ApiLogin } from './api-login.ts';
import { type ApiRunReport, RunReporter } from './api-run-report.ts';
import { answerWithTools, type FunctionContext, type ModelTurn } from './function-calls/answer-with-tools.ts';
import { refusePages } from './grounding/page-reader.ts';
import { hideSecret, readWithoutSecret, withoutSecret } from './hide-secret.ts';
import { connectionFailure } from './http/connection-failure.ts';
import { HttpConnections, type HttpResponse } from './http/http-connections.ts';
import { noProxies, type Proxies } from './http/proxies.ts';
import { readStart } from './http/read-start.ts';
import { type ExpectedType, refusedResponse } from './http/refused-response.ts';
import { JsonUploads } from './json-upload.ts';
import { countBody, type RequestBody, requestBody } from './request-body.ts';
import { thinkingConfigOf } from './thinking-config.ts';

export type ApiGeminiRunnerOptions = {
  /** Null if missing: the runner then carries only requests that bring a key of their own. */
  readonly login: ApiLogin | null;
  readonly clock: Clock;
  /** Replaces Google's base URL for keys of the Gemini API: `GOOGLE_GEMINI_BASE_URL`. */
  readonly geminiBaseUrl?: string;
  /** The same for Vertex AI: `GOOGLE_VERTEX_BASE_URL`. */
  readonly vertexBaseUrl?: string;
  /** Whether the project may log requests, as set in Google AI Studio. If missing, each request asks Google to store nothing. */
  readonly allowsGoogleLogs?: boolean;
  /** If missing, the runner uses no proxy: it does not read the variables of the process. */
  readonly proxies?: Proxies;
  /** Receives the report of each run that was not refused; must not throw. */
  readonly onRun?: (report: ApiRunReport) => void;
};

type ApiMethod = {
  readonly name: string;
  readonly bodyOf: (request: RunRequest, login: ApiLogin) => RequestBody;
  readonly expected: ExpectedType;
};

type Asking = { readonly request: RunRequest; readonly login: ApiLogin; readonly method: ApiMethod };

/** A response that has begun as expected, or the failure. Messages about it must not contain `secret`. */
type Begun =
  | { readonly ok: true; readonly body: HttpResponse['body']; readonly secret: string }
  | { readonly ok: false; readonly failure: GeminiFailure };

/** Processing a piece takes at most one slice of the pace, however large the piece. */
const pieceBytes = 16_384;

type Generating = { readonly functions: FunctionContext | null; readonly allowsGoogleLogs: boolean };

/** A new project logs prompts and answers for 55 days unless each request opts out. Vertex AI rejects the field. */
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
 * Calls the Gemini API itself (`streamGenerateContent` and `countTokens`, v1beta), with a key or as a project of Google Cloud. Gemini can
 * use the tools that Google runs itself: it searches the web, and reads pages. Between requests the runner keeps only open connections,
 * which do not keep the program alive, and until the next garbage collection the long texts of the latest request with any.
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
      if (request.settings?.serviceTier === 'flexible') {
        yield { type: 'notice', text: 'Asked at the flexible tier, which Google bills at half the price' };
      }
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
   * Requests one turn of the model. Returns null if it ended in a failure, or if the model has no functions, so that its turn is the
   * answer: both report the end.
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

  /** Closes idle connections; current runs end with a network failure. */
  close(): Promise<void> {
    return this.#connections.close();
  }

  #limit({ deadlineAtMs }: RunRequest, signal: AbortSignal): RunLimits {
    return new RunLimits({ clock: this.#options.clock, deadlineAtMs, signal });
  }

  #loginFor(request: RunRequest): ApiLogin | GeminiFailure {
    const login = withKeyOfCall(this.#options.login, request.settings?.apiKey ?? null);
    return (
      refuseLacking(request, this.capabilities) ??
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
    const traced = { ...traceHeaders(request), ...headers };
    const response = await this.#connections.send({ url, headers: traced, body }, signal);
    const failure = await refusedResponse(response, { clock, expected, secret });
    return failure === null ? { ok: true, body: response.body, secret } : { ok: false, failure };
  }
}

/** The headers of W3C Trace Context. Baggage stays here: it may hold data of the caller. */
function traceHeaders({ trace = {} }: RunRequest): Readonly<Record<string, string>> {
  const { traceparent, tracestate } = trace;
  return { ...(traceparent !== undefined && { traceparent }), ...(tracestate !== undefined && { tracestate }) };
}

/** Some models have no setting for thinking, and dropping the setting would change the request. */
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

/**
 * The count in a body of `countTokens` (`CountTokensResponse` of the Gemini API, v1beta; Vertex AI has the same field). Failures never
 * contain the secret.
 */
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

/** Ends a run at its deadline, when the caller aborts it, and when its consumer stops. */
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

  /** Why the run had to end; null if it did not have to. */
  get failure(): GeminiFailure | null {
    if (this.#options.signal.aborted) {
      return { kind: 'cancelled' };
    }
    return this.#over.signal.aborted ? { kind: 'timeout' } : null;
  }

  /** Resolves after the timer and the listeners are removed; closes the connection if it is still open. */
  async end(): Promise<void> {
    this.#options.signal.removeEventListener('abort', this.#abort);
    this.#abort();
    await this.#sleep;
  }
}

/** The header that carries a login, and the secret in it, which no message may contain; or the failure. */
type Authorization =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>>; readonly secret: string }
  | { readonly ok: false; readonly failure: GeminiFailure };

/** Creates the header for one request. If aborted, rejects with the reason of the signal. */
async function authorize(login: ApiLogin, signal: AbortSignal): Promise<Authorization> {
  signal.throwIfAborted();
  if (login.type !== 'vertex-project') {
    return { ok: true, headers: { 'x-goog-api-key': login.apiKey }, secret: login.apiKey };
  }
  const given = await raceAbort(login.accessToken(), signal);
  return given.ok ? { ok: true, headers: { authorization: `Bearer ${given.token}` }, secret: given.token } : given;
}

/**
 * The login for a call that brings its own key: the key replaces one of the same kind, and is a key of the Gemini API otherwise. Null if
 * neither exists.
 */
function withKeyOfCall(login: ApiLogin | null, apiKey: string | null): ApiLogin | null {
  if (apiKey === null) {
    return login;
  }
  return { type: login?.type === 'vertex-key' ? 'vertex-key' : 'gemini-key', apiKey };
}

/** Resolves as the promise does. If aborted, rejects at once with the signal's reason; the promise goes on unobserved. */
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
