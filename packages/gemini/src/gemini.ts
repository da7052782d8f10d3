import { type AskProgress, plainRunSettings, type UndoReport } from '@gemini-mcp/core';
import { buildAskRequest, type CallDefaults } from './calls/build-ask-request.ts';
import { GeminiChat } from './calls/gemini-chat.ts';
import { buildWorkRequest, type GeminiWorkResult, presentWork } from './calls/gemini-work.ts';
import { RunningCalls } from './calls/running-calls.ts';
import { serversOfCall } from './calls/servers-of-call.ts';
import { streamPieces } from './calls/stream-pieces.ts';
import type {
  AskOptions,
  ChatOptions,
  PreviewOptions,
  SearchOptions,
  UndoOptions,
  WorkOptions,
} from './gemini-options.ts';
import type { GeminiParts } from './gemini-parts.ts';
import {
  type ContextResult,
  type GeminiResult,
  presentFailure,
  presentResult,
  type StreamPiece,
  type WebSearchResult,
} from './gemini-result.ts';

export type GeminiSetup = {
  readonly parts: GeminiParts;
  readonly defaults: CallDefaults;
  /** Ends processes that the calls left running. */
  readonly close: () => Promise<void>;
};

/**
 * Gemini for a program: see `createGemini`. No method rejects for what Gemini, the CLI, a file or a caller's abort did: those are
 * results. A call after `close` is a mistake in the program, and rejects.
 */
export class Gemini implements AsyncDisposable {
  /** What it is made of, for what takes such parts: `createSurface` of `@gemini-mcp/mcp`. `close` does not wait for their calls. */
  readonly parts: GeminiParts;
  readonly #defaults: CallDefaults;
  readonly #close: () => Promise<void>;
  readonly #calls = new RunningCalls();

  constructor({ parts, defaults, close }: GeminiSetup) {
    this.parts = parts;
    this.#defaults = defaults;
    this.#close = close;
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
    return new GeminiChat({ parts: this.parts, calls: this.#calls, defaults: this.#defaults, options });
  }

  /** Searches the web. An answer that rests on no search is a failure. */
  search(query: string, options: SearchOptions = {}): Promise<WebSearchResult> {
    const { searchWeb } = this.parts;
    const defaults = this.#defaults;
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
      return found.ok
        ? { ok: true, ...found.answer, report: found.report }
        : presentFailure(found.failed, { purpose: 'search', words: defaults.failureWords });
    }, options.signal);
  }

  /** What `ask` with the same arguments would send. Asks no model, and sends nothing unless `count` is set. */
  context(prompt: string, options: PreviewOptions = {}): Promise<ContextResult> {
    return this.#calls.run(async (signal) => {
      const request = await buildAskRequest(prompt, options, this.#defaults);
      const seen = await this.parts.previewContext.preview(
        { ...request, countsTokens: options.count ?? false },
        signal,
      );
      return seen.ok
        ? { ok: true, ...seen.preview }
        : presentFailure(seen.failed, { purpose: 'query', words: this.#defaults.failureWords });
    }, options.signal);
  }

  /**
   * Lets Gemini work on a project with tools for files, and in mode `full` with commands in a sandbox. Steps that need consent go to
   * `approver`. The account of the result says what changed; `undo` takes it back.
   */
  work(task: string, options: WorkOptions = {}): Promise<GeminiWorkResult> {
    const { onProgress = () => undefined } = options;
    return this.#calls.run(async (signal) => {
      const request = await buildWorkRequest(task, options, this.#defaults);
      const { failed, servers } = await serversOfCall(options, request, this.parts);
      if (failed !== null) {
        const { failureWords: words } = this.#defaults;
        return { ...presentFailure(failed, { purpose: 'query', words }), account: null };
      }
      const result = await this.parts.workOnTask.work({ ...request, ...servers }, onProgress, signal);
      return presentWork(result, request, this.#defaults.failureWords);
    }, options.signal);
  }

  /** Puts back what a run of `work` changed, as it was before; a path that was changed since is left as it is, and reported. */
  undo(runId: string, { owner = this.#defaults.owner, paths, signal }: UndoOptions = {}): Promise<UndoReport> {
    const request = { runId, owner, ...(paths !== undefined && { paths }) };
    return this.#calls.run((aborted) => this.parts.undo(request, aborted), signal);
  }

  /**
   * Cancels the calls that run and ends all processes. Resolves when nothing of them is left. A program that ends by itself needs
   * it not: what is left then is closed before it ends.
   */
  async close(): Promise<void> {
    await this.#calls.close();
    await this.#close();
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
    return this.#calls.run(async (signal) => {
      const request = await buildAskRequest(prompt, options, this.#defaults);
      const { failed, servers } = await serversOfCall(options, request, this.parts);
      const asked =
        failed === null
          ? await this.parts.askGemini.ask({ ...request, ...servers }, onProgress, signal)
          : ({ ok: false, failed } as const);
      return presentResult(asked, this.#defaults.failureWords);
    }, callerSignal);
  }
}
