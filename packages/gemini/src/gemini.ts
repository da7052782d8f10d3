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
  presentResult,
  type StreamPiece,
  toGeminiFailureResult,
  type WebSearchResult,
} from './gemini-result.ts';

export type GeminiSetup = {
  readonly parts: GeminiParts;
  readonly defaults: CallDefaults;
  /** Ends processes left running by calls. */
  readonly close: () => Promise<void>;
};

/**
 * Gemini for a program: see `createGemini`. Failures of Gemini, the CLI or a file and a caller's abort are results; no method
 * rejects for them. A call after `close` is a programming error and rejects.
 */
export class Gemini implements AsyncDisposable {
  /** Its parts, for functions that take them: `createSurface` of `@gemini-mcp/mcp`. `close` does not wait for their calls. */
  readonly parts: GeminiParts;
  readonly #defaults: CallDefaults;
  readonly #close: () => Promise<void>;
  readonly #calls = new RunningCalls();

  constructor({ parts, defaults, close }: GeminiSetup) {
    this.parts = parts;
    this.#defaults = defaults;
    this.#close = close;
  }

  /** Asks Gemini. Resolves to the answer or to a failure. */
  ask(prompt: string, options: AskOptions = {}): Promise<GeminiResult> {
    return this.#ask(prompt, options, () => undefined, options.signal);
  }

  /** Like `ask`, but in pieces, with the result last. Starts when the first piece is read; ending the loop early cancels the call. */
  stream(prompt: string, options: AskOptions = {}): AsyncGenerator<StreamPiece<GeminiResult>, void> {
    return streamPieces((onProgress, signal) => this.#ask(prompt, options, onProgress, signal), options.signal);
  }

  /** Begins a conversation, or continues the one with `id`. Sends nothing before the first `reply`. */
  chat(options: ChatOptions = {}): GeminiChat {
    return new GeminiChat({ parts: this.parts, calls: this.#calls, defaults: this.#defaults, options });
  }

  /** Searches the web. An answer without a search counts as a failure. */
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
        : toGeminiFailureResult(found.failed, { purpose: 'search', words: defaults.failureWords });
    }, options.signal);
  }

  /** Returns the content that `ask` with the same arguments would send. Asks no model, and sends nothing unless `count` is set. */
  context(prompt: string, options: PreviewOptions = {}): Promise<ContextResult> {
    return this.#calls.run(async (signal) => {
      const request = await buildAskRequest(prompt, options, this.#defaults);
      const seen = await this.parts.previewContext.preview(
        { ...request, countsTokens: options.count ?? false },
        signal,
      );
      return seen.ok
        ? { ok: true, ...seen.preview }
        : toGeminiFailureResult(seen.failed, { purpose: 'query', words: this.#defaults.failureWords });
    }, options.signal);
  }

  /**
   * Lets Gemini work on a project with file tools, and in mode `full` with commands in a sandbox. Steps that need approval go to
   * `approver`. The account in the result lists the changes; `undo` reverts them.
   */
  work(task: string, options: WorkOptions = {}): Promise<GeminiWorkResult> {
    const { onProgress = () => undefined } = options;
    return this.#calls.run(async (signal) => {
      const request = await buildWorkRequest(task, options, this.#defaults);
      const { failed, servers } = await serversOfCall(options, request, this.parts);
      if (failed !== null) {
        const { failureWords: words } = this.#defaults;
        return { ...toGeminiFailureResult(failed, { purpose: 'query', words }), account: null };
      }
      const result = await this.parts.workOnTask.work({ ...request, ...servers }, onProgress, signal);
      return presentWork(result, request, this.#defaults.failureWords);
    }, options.signal);
  }

  /** Reverts the changes of a `work` run. Leaves and reports paths that were changed since. */
  undo(runId: string, { owner = this.#defaults.owner, paths, signal }: UndoOptions = {}): Promise<UndoReport> {
    const request = { runId, owner, ...(paths !== undefined && { paths }) };
    return this.#calls.run((aborted) => this.parts.undo(request, aborted), signal);
  }

  /**
   * Cancels running calls and ends all processes. Resolves when all have ended. Optional before a normal exit, which closes
   * everything too.
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
