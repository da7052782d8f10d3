import {
  type Clock,
  endOfAnswer,
  excerptFrom,
  type GeminiFailure,
  type GeminiRunner,
  parseAnswerEnding,
  plainRunSettings,
  type RunEnd,
  type RunEvent,
  type RunnerCapabilities,
  type RunRequest,
  readGoogleError,
  refuseLacking,
  systemPromptOf,
  type TokenCount,
} from '@gemini-mcp/core';
import { type WebMetadata, webEvents } from './web-events.ts';

export type RestGeminiRunnerOptions = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly sizes: Pick<RunnerCapabilities, 'maxInputCharacters' | 'maxInputBytes' | 'maxMediaBytes'>;
  /** Changes each request to generate, in the place of `store: false`. */
  readonly fields?: object | undefined;
};

type Candidate = WebMetadata & {
  readonly content?: { readonly parts?: readonly { readonly text?: string; readonly thought?: boolean }[] };
  readonly finishReason?: string;
};

type Chunk = {
  readonly candidates?: readonly Candidate[];
  readonly promptFeedback?: { readonly blockReason?: string };
  readonly usageMetadata?: { readonly promptTokenCount?: number; readonly candidatesTokenCount?: number };
  readonly modelVersion?: string;
};

type Limits = {
  readonly stop: AbortSignal;
  readonly failureOf: (error: unknown) => GeminiFailure;
  readonly end: () => Promise<void>;
};

type Post = { readonly method: string; readonly body: object };

/** The right runner that most mutants change in one thing: real requests and sockets, over the offline API. */
export class RestGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  readonly #options: RestGeminiRunnerOptions;

  constructor(options: RestGeminiRunnerOptions) {
    this.#options = options;
    this.capabilities = {
      name: 'rest',
      ...options.sizes,
      resume: true,
      tools: ['none', 'web-search'],
      sandbox: false,
      systemPrompt: true,
      mediaTypes: ['image/png', 'application/pdf'],
      warmStart: true,
      streaming: true,
      usage: true,
      keyOfCall: true,
      tokenCount: true,
      urls: true,
      grounding: true,
    };
  }

  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const limits = this.#limit(request, signal);
    try {
      const refusal = refuseLacking(request, this.capabilities);
      yield* refusal === null ? this.#ask(request, limits.stop) : [failed(refusal, this.#keyOf(request))];
    } catch (error) {
      yield failed(limits.failureOf(error), this.#keyOf(request));
    } finally {
      await limits.end();
    }
  }

  async countTokens(request: RunRequest, signal: AbortSignal): Promise<TokenCount> {
    const limits = this.#limit(request, signal);
    try {
      const refusal = refuseLacking(request, this.capabilities);
      if (refusal !== null) {
        return { ok: false, failure: refusal };
      }
      const model = `models/${request.model}`;
      const body = { generateContentRequest: { model, ...bodyOf(request) } };
      const response = await this.#post(request, { method: 'countTokens', body }, limits.stop);
      const said = await response.text();
      const failure = readGoogleError(said, { httpStatus: response.status });
      return failure === null
        ? { ok: true, tokens: JSON.parse(said).totalTokens }
        : { ok: false, failure: failed(failure, this.#keyOf(request)).failure };
    } catch (error) {
      return { ok: false, failure: limits.failureOf(error) };
    } finally {
      await limits.end();
    }
  }

  #keyOf({ settings }: RunRequest): string {
    return settings?.apiKey ?? this.#options.apiKey;
  }

  #limit({ deadlineAtMs }: RunRequest, signal: AbortSignal): Limits {
    const { clock } = this.#options;
    const over = new AbortController();
    const end = (): void => over.abort();
    const deadline = clock.sleep(deadlineAtMs - clock.now(), over.signal).then(end, end);
    if (clock.now() >= deadlineAtMs) {
      end();
    }
    const stop = AbortSignal.any([signal, over.signal]);
    return {
      stop,
      failureOf: (error) => {
        const interruption = { kind: signal.aborted ? 'cancelled' : 'timeout' } as const;
        return stop.aborted ? interruption : { kind: 'network', excerpt: String(error) };
      },
      end: () => {
        end();
        return deadline;
      },
    };
  }

  #post(request: RunRequest, { method, body }: Post, signal: AbortSignal): Promise<Response> {
    return fetch(`${this.#options.baseUrl}/v1beta/models/${encodeURIComponent(request.model)}:${method}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': this.#keyOf(request), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
  }

  async *#ask(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const key = this.#keyOf(request);
    const body = { ...(this.#options.fields ?? { store: false }), ...bodyOf(request) };
    const post = { method: 'streamGenerateContent?alt=sse', body };
    const response = await this.#post(request, post, signal);
    if (!response.ok || response.body === null) {
      const said = await response.text();
      const failure = readGoogleError(said, { httpStatus: response.status });
      yield failed(failure ?? { kind: 'network', excerpt: said }, key);
      return;
    }
    let last: Chunk = {};
    let whole = '';
    for await (const data of readEvents(response.body)) {
      const chunk: Chunk = JSON.parse(data);
      const failure = readGoogleError(chunk);
      if (failure !== null) {
        yield failed(failure, key);
        return;
      }
      const text = textOf(chunk);
      yield* text === '' ? [] : [{ type: 'text', text } as const];
      whole += text;
      last = { ...last, ...chunk };
    }
    yield* endOf(request, last, whole);
  }
}

function textOf({ candidates: [candidate] = [] }: Chunk): string {
  const parts = candidate?.content?.parts ?? [];
  return parts.map(({ text = '', thought = false }) => (thought ? '' : text)).join('');
}

function* endOf({ model }: RunRequest, last: Chunk, text: string): Generator<RunEvent> {
  const { candidates: [candidate] = [], promptFeedback, usageMetadata, modelVersion = model } = last;
  if (usageMetadata !== undefined) {
    const { promptTokenCount: inputTokens = 0, candidatesTokenCount: outputTokens = 0 } = usageMetadata;
    yield { type: 'usage', models: [{ model, inputTokens, outputTokens }] };
  }
  yield* webEvents(candidate ?? {}, text);
  const said = { finishReason: candidate?.finishReason ?? null, blockReason: promptFeedback?.blockReason ?? null };
  yield endOfAnswer({ ending: parseAnswerEnding(said), hasText: text.trim() !== '', modelVersion });
}

function bodyOf({ input, history = [], media = [], urls = [], settings = plainRunSettings }: RunRequest): object {
  const inline = media.map(({ mediaType, bytes }) => ({
    inlineData: { mimeType: mediaType, data: Buffer.from(bytes).toString('base64') },
  }));
  const before = history.map(({ role, text }) => ({ role, parts: [{ text }] }));
  const text = systemPromptOf(settings);
  const pages = urls.length === 0 ? [] : [{ text: urls.join('\n') }];
  return {
    contents: [...before, { role: 'user', parts: [...inline, { text: input }, ...pages] }],
    ...(text !== null && { systemInstruction: { parts: [{ text }] } }),
    ...(settings.tools === 'web-search' && { tools: [{ googleSearch: {} }] }),
    ...(urls.length > 0 && { tools: [{ urlContext: {} }] }),
  };
}

function failed(failure: GeminiFailure, key: string): Extract<RunEnd, { readonly type: 'failure' }> {
  const shown = 'excerpt' in failure ? { excerpt: excerptFrom(failure.excerpt.replaceAll(key, '[redacted]')) } : {};
  return { type: 'failure', failure: { ...failure, ...shown } };
}

const eventPrefix = 'data: ';

/** The data of server-sent events with one line each, as the Gemini API sends them. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${piece}`.split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.startsWith(eventPrefix)).map((line) => line.slice(eventPrefix.length));
  }
}
