import {
  type Clock,
  endOfAnswer,
  excerptFrom,
  type GeminiFailure,
  type GeminiRunner,
  parseAnswerEnding,
  plainRunSettings,
  type RunEvent,
  type RunnerCapabilities,
  type RunRequest,
  readGoogleError,
  readRetryAfter,
  refuseLacking,
  systemPromptOf,
} from '@gemini-mcp/core';
import { EventSourceParserStream } from 'eventsource-parser/stream';

export type RestGeminiRunnerOptions = { readonly baseUrl: string; readonly apiKey: string; readonly clock: Clock };

type Part = { readonly text?: string; readonly thought?: boolean };
type Candidate = { readonly content?: { readonly parts?: readonly Part[] }; readonly finishReason?: string };

/** The fields that we read of a `streamGenerateContent` event. */
type Chunk = {
  readonly candidates?: readonly Candidate[];
  readonly promptFeedback?: { readonly blockReason?: string };
  readonly usageMetadata?: Readonly<Record<string, number>>;
  readonly modelVersion?: string;
};

const sizes = { maxInputBytes: 12_000_000, maxInputCharacters: 4_000_000, maxMediaBytes: 10_000_000 };
const carries = { resume: true, systemPrompt: true, keyOfCall: true, sandbox: false };
const gives = { streaming: true, usage: true, warmStart: true };
const types = { tools: ['none'], mediaTypes: ['image/png', 'image/jpeg', 'application/pdf'] } as const;

/** Calls the Gemini API over REST. Gives Gemini no tools, and keeps nothing between requests. */
export class RestGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities = { name: 'rest', ...types, ...sizes, ...carries, ...gives };
  readonly #options: RestGeminiRunnerOptions;

  constructor(options: RestGeminiRunnerOptions) {
    this.#options = options;
  }

  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const { clock, apiKey } = this.#options;
    const key = request.settings?.apiKey ?? apiKey;
    const over = new AbortController();
    const end = (): void => over.abort();
    const deadline = clock.sleep(request.deadlineAtMs - clock.now(), over.signal).then(end, end);
    const stop = AbortSignal.any([signal, over.signal]);
    try {
      if (clock.now() >= request.deadlineAtMs) {
        end();
      }
      const refusal = refuseLacking(request, this.capabilities);
      yield* refusal === null ? this.#ask(request, key, stop) : [failed(refusal, key)];
    } catch (error) {
      const ended = { kind: signal.aborted ? 'cancelled' : 'timeout' } as const;
      yield failed(stop.aborted ? ended : failureOf(error), key);
    } finally {
      // Closes the connection of a consumer that stopped listening, and ends the sleep.
      end();
      await deadline;
    }
  }

  async *#ask(request: RunRequest, key: string, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const url = `${this.#options.baseUrl}/v1beta/models/${encodeURIComponent(request.model)}:streamGenerateContent?alt=sse`;
    const headers = { 'x-goog-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: bodyOf(request), signal });
    if (!response.ok || response.body === null) {
      const text = await response.text();
      const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), this.#options.clock.now());
      const failure = readGoogleError(text, { httpStatus: response.status, retryAfterMs });
      return yield failed(failure ?? { kind: 'network', excerpt: text }, key);
    }
    let [last, hasText]: [Chunk, boolean] = [{}, false];
    const lines = response.body.pipeThrough(new TextDecoderStream());
    for await (const { data } of lines.pipeThrough(new EventSourceParserStream())) {
      const chunk: Chunk = JSON.parse(data);
      const failure = readGoogleError(chunk);
      if (failure !== null) {
        return yield failed(failure, key);
      }
      const text = textOf(chunk);
      if (text !== '') {
        yield { type: 'text', text };
      }
      hasText ||= text.trim() !== '';
      last = { ...last, ...chunk };
    }
    yield* endOf(request, last, hasText);
  }
}

function textOf({ candidates: [candidate] = [] }: Chunk): string {
  return (candidate?.content?.parts ?? []).map(({ text = '', thought = false }) => (thought ? '' : text)).join('');
}

function* endOf({ model }: RunRequest, last: Chunk, hasText: boolean): Generator<RunEvent> {
  const { candidates: [candidate] = [], promptFeedback, usageMetadata, modelVersion = model } = last;
  if (usageMetadata !== undefined) {
    const { promptTokenCount: inputTokens = 0, candidatesTokenCount: outputTokens = 0 } = usageMetadata;
    yield { type: 'usage', models: [{ model, inputTokens, outputTokens }] };
  }
  const [finishReason, blockReason] = [candidate?.finishReason ?? null, promptFeedback?.blockReason ?? null];
  yield endOfAnswer({ ending: parseAnswerEnding({ finishReason, blockReason }), hasText, modelVersion });
}

function failureOf(error: unknown): GeminiFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return { kind: error instanceof SyntaxError ? 'malformed-output' : 'network', excerpt: `${error}${cause}` };
}

function bodyOf({ input, history = [], media = [], settings = plainRunSettings }: RunRequest): string {
  const inline = media.map(({ mediaType, bytes }) => ({
    inlineData: { mimeType: mediaType, data: Buffer.from(bytes).toString('base64') },
  }));
  const before = history.map(({ role, text }) => ({ role, parts: [{ text }] }));
  const contents = [...before, { role: 'user', parts: [...inline, { text: input }] }];
  const text = systemPromptOf(settings);
  // Google keeps prompts and answers of new projects for 55 days unless a request asks it not to.
  return JSON.stringify({ store: false, contents, ...(text !== null && { systemInstruction: { parts: [{ text }] } }) });
}

/** Describes a failure for logs and users, without the key. */
function failed(failure: GeminiFailure, key: string): RunEvent {
  const shown = 'excerpt' in failure ? { excerpt: excerptFrom(failure.excerpt.replaceAll(key, '[key]')) } : {};
  return { type: 'failure', failure: { ...failure, ...shown } };
}
