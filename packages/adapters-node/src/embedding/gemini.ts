import {
  type AskGemini,
  type AskProgress,
  type Chat,
  type PreviewContext,
  plainRunSettings,
  type SearchWeb,
} from '@gemini-mcp/core';
import { buildAskRequest, type CallDefaults } from './build-ask-request.ts';
import { GeminiChat } from './gemini-chat.ts';
import type { AskOptions, ChatOptions, SearchOptions } from './gemini-options.ts';
import {
  type ContextResult,
  type GeminiResult,
  presentFailure,
  presentResult,
  type StreamPiece,
  type WebSearchResult,
} from './gemini-result.ts';
import { RunningCalls } from './running-calls.ts';
import { streamPieces } from './stream-pieces.ts';

export type GeminiParts = {
  readonly askGemini: AskGemini;
  readonly previewContext: PreviewContext;
  readonly chat: Chat;
  readonly searchWeb: SearchWeb;
  readonly defaults: CallDefaults;
  /** Ends what the calls have left running. */
  readonly close: () => Promise<void>;
};

/**
 * Gemini for a program: see `createGemini`. No method rejects for what Gemini, the CLI, a file or a caller's abort did: those are
 * results. A call after `close` is a mistake in the program, and rejects.
 */
export class Gemini implements AsyncDisposable {
  readonly #parts: GeminiParts;
  readonly #calls = new RunningCalls();

  constructor(parts: GeminiParts) {
    this.#parts = parts;
  }

  /** Asks, and resolves to the answer or to why there is none. */
  ask(prompt: string, options: AskOptions = {}): Promise<GeminiResult> {
    return this.#ask(prompt, options, () => undefined, options.signal);
  }

  /** The same piece by piece, the result last. Begins with the first piece that is read; to stop reading cancels the call. */
  stream(prompt: string, options: AskOptions = {}): AsyncGenerator<StreamPiece<GeminiResult>, void> {
    return streamPieces((onProgress, signal) => this.#ask(prompt, options, onProgress, signal), options.signal);
  }

  /** Begins a conversation, or goes on with the one that has `id`. Nothing is sent before its first `reply`. */
  chat(options: ChatOptions = {}): GeminiChat {
    const { chat, defaults } = this.#parts;
    return new GeminiChat({ chat, calls: this.#calls, defaults, options });
  }

  /** Searches the web. An answer that rests on no search is a failure. */
  search(query: string, options: SearchOptions = {}): Promise<WebSearchResult> {
    const { defaults, searchWeb } = this.#parts;
    const { owner = defaults.owner, timeoutMs = defaults.timeoutMs, limit = null, model = null } = options;
    const request = {
      query,
      owner,
      timeoutMs,
      limit,
      model,
      settings: plainRunSettings,
      structured: options.structured ?? false,
    };
    return this.#calls.run(async (signal) => {
      const found = await searchWeb.search(request, () => undefined, signal);
      return found.ok ? { ok: true, ...found.answer, report: found.report } : presentFailure(found.failed, 'search');
    }, options.signal);
  }

  /** What `ask` with the same arguments would send. Asks no model. */
  context(prompt: string, options: AskOptions = {}): Promise<ContextResult> {
    const { defaults, previewContext } = this.#parts;
    return this.#calls.run(async (signal) => {
      const seen = await previewContext.preview(buildAskRequest(prompt, options, defaults), signal);
      return seen.ok ? { ok: true, ...seen.preview } : presentFailure(seen.failed, 'query');
    }, options.signal);
  }

  /**
   * Cancels the calls that run and ends all processes. Resolves when nothing of them is left. A program that ends by itself needs
   * it not: what is left then is closed before it ends.
   */
  async close(): Promise<void> {
    await this.#calls.close();
    await this.#parts.close();
  }

  /** `await using gemini = createGemini()` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #ask(
    prompt: string,
    options: AskOptions,
    onProgress: (progress: AskProgress) => void,
    callerSignal: AbortSignal | undefined,
  ): Promise<GeminiResult> {
    const { askGemini, defaults } = this.#parts;
    return this.#calls.run(
      async (signal) =>
        presentResult(await askGemini.ask(buildAskRequest(prompt, options, defaults), onProgress, signal)),
      callerSignal,
    );
  }
}
