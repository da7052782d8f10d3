import {
  type Clock,
  type GeminiFailure,
  type GeminiRunner,
  type RunEvent,
  type RunnerCapabilities,
  type RunRequest,
  refuseRequest,
} from '@gemini-mcp/core';
import { AnswerReader } from './answer-reader.ts';
import { endpointOf } from './api-endpoint.ts';
import type { ApiLogin } from './api-login.ts';
import { type Authorization, authorize, withKeyOfCall } from './authorization.ts';
import { connectionFailure } from './connection-failure.ts';
import { hideSecret } from './hide-secret.ts';
import { HttpConnections, type HttpResponse } from './http-connections.ts';
import type { Proxies } from './proxies.ts';
import { refusedResponse } from './refused-response.ts';
import { requestBody } from './request-body.ts';
import { RunLimits } from './run-limits.ts';

export type ApiGeminiRunnerOptions = {
  readonly login: ApiLogin;
  readonly clock: Clock;
  /** In the place of Google's, for keys of the Gemini API: `GOOGLE_GEMINI_BASE_URL`. */
  readonly geminiBaseUrl?: string;
  /** The same for Vertex AI: `GOOGLE_VERTEX_BASE_URL`. */
  readonly vertexBaseUrl?: string;
  /** None when it is missing: the variables of the process are not read. */
  readonly proxies?: Proxies;
};

/** A stream that has begun, or why none has. */
type Opened =
  | { readonly type: 'stream'; readonly body: HttpResponse['body'] }
  | { readonly type: 'failure'; readonly failure: GeminiFailure };

const noProxies: Proxies = { http: null, https: null, except: null };

/**
 * Asks the Gemini API itself (`streamGenerateContent`, v1beta), with a key or as a project of Google Cloud. Gemini can use no tool
 * in it. Nothing is kept between requests but open connections, which keep no program alive.
 */
export class ApiGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities = {
    name: 'api',
    // What the API takes at once is 100 MB, with media in base64. Tokens are its own to count: it refuses what is too much.
    maxInputBytes: 16_000_000,
    maxInputCharacters: 8_000_000,
    maxMediaBytes: 50_000_000,
    mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf'],
    tools: ['none'],
    resume: true,
    systemPrompt: true,
    keyOfCall: true,
    sandbox: false,
    streaming: true,
    usage: true,
    warmStart: true,
  };

  readonly #options: ApiGeminiRunnerOptions;
  readonly #connections: HttpConnections;

  constructor(options: ApiGeminiRunnerOptions) {
    this.#options = options;
    this.#connections = new HttpConnections(options.proxies ?? noProxies);
  }

  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const refusal = refuseRequest(request, this.capabilities);
    if (refusal !== null) {
      yield { type: 'failure', failure: refusal };
      return;
    }
    const limits = new RunLimits({ clock: this.#options.clock, deadlineAtMs: request.deadlineAtMs, signal });
    const reader = new AnswerReader(request.model);
    let secret = '';
    const end = (failure: GeminiFailure): RunEvent => ({
      type: 'failure',
      failure: limits.failure ?? hideSecret(failure, secret),
    });
    try {
      const authorization = await this.#authorize(request, limits.signal);
      secret = authorization.secret;
      const opened = await this.#open(request, authorization, limits.signal);
      if (opened.type === 'failure') {
        yield end(opened.failure);
        return;
      }
      for await (const bytes of opened.body) {
        for (const event of reader.push(bytes)) {
          if (event.type === 'failure') {
            yield end(event.failure);
            return;
          }
          yield event;
        }
      }
      yield* reader.end();
    } catch (error) {
      yield end(connectionFailure(error));
    } finally {
      await limits.end();
    }
  }

  /** Closes the connections that are kept open; runs that go on end as a failure of the network. */
  close(): Promise<void> {
    return this.#connections.close();
  }

  #authorize({ settings }: RunRequest, signal: AbortSignal): Promise<Authorization> {
    return authorize(withKeyOfCall(this.#options.login, settings?.apiKey ?? null), signal);
  }

  async #open(request: RunRequest, { headers }: Authorization, signal: AbortSignal): Promise<Opened> {
    const { login, clock, geminiBaseUrl = null, vertexBaseUrl = null } = this.#options;
    const asWhom = withKeyOfCall(login, request.settings?.apiKey ?? null);
    const url = endpointOf({ login: asWhom, geminiBaseUrl, vertexBaseUrl }, request.model, 'streamGenerateContent');
    url.searchParams.set('alt', 'sse');
    signal.throwIfAborted();
    const response = await this.#connections.post({ url, headers, body: requestBody(request) }, signal);
    const failure = await refusedResponse(response, clock);
    return failure === null ? { type: 'stream', body: response.body } : { type: 'failure', failure };
  }
}
