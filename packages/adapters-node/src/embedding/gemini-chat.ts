import type { AskProgress, Chat, ChatResult } from '@gemini-mcp/core';
import { buildRunSettings, type CallDefaults } from './build-ask-request.ts';
import type { CallOptions, ChatOptions } from './gemini-options.ts';
import { type ChatReplyResult, presentFailure, type StreamPiece } from './gemini-result.ts';
import type { RunningCalls } from './running-calls.ts';
import { streamPieces } from './stream-pieces.ts';

export type ChatReplyOptions = Pick<CallOptions, 'timeoutMs' | 'signal'>;

export type GeminiChatParts = {
  readonly chat: Chat;
  readonly calls: RunningCalls;
  readonly defaults: CallDefaults;
  readonly options: ChatOptions;
};

type OnProgress = (progress: AskProgress) => void;

/** A conversation. It is kept: `gemini.chat({ id })` goes on with it, in another program as well. */
export class GeminiChat {
  readonly #parts: GeminiChatParts;
  #id: string | null;
  /** The first exchange, which gives the conversation its id: further ones wait for that. */
  #beginning: Promise<unknown> = Promise.resolve();

  constructor(parts: GeminiChatParts) {
    this.#parts = parts;
    this.#id = parts.options.id ?? null;
  }

  /** Null until the first answer. */
  get id(): string | null {
    return this.#id;
  }

  /**
   * Says something, and resolves to the answer. Replies that are made at the same time are answered one after the other. One that
   * failed leaves the conversation as it was.
   */
  reply(prompt: string, options: ChatReplyOptions = {}): Promise<ChatReplyResult> {
    return this.#reply(prompt, options, () => undefined, options.signal);
  }

  /** The same piece by piece, the result last. To stop reading cancels the reply. */
  stream(prompt: string, options: ChatReplyOptions = {}): AsyncGenerator<StreamPiece<ChatReplyResult>, void> {
    return streamPieces((onProgress, signal) => this.#reply(prompt, options, onProgress, signal), options.signal);
  }

  #reply(
    prompt: string,
    options: ChatReplyOptions,
    onProgress: OnProgress,
    callerSignal: AbortSignal | undefined,
  ): Promise<ChatReplyResult> {
    const { timeoutMs = this.#parts.defaults.timeoutMs } = options;
    return this.#parts.calls.run(async (signal) => {
      const said = { prompt, timeoutMs };
      const turn = this.#beginning.then(() => this.#send(said, onProgress, signal));
      if (this.#id === null) {
        this.#beginning = turn.catch(() => undefined);
      }
      return presentReply(await turn, this.#id);
    }, callerSignal);
  }

  async #send(
    said: { readonly prompt: string; readonly timeoutMs: number },
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<ChatResult> {
    const { chat, defaults, options } = this.#parts;
    const { owner = defaults.owner, model = null, systemPrompt = null } = options;
    const settings = buildRunSettings(options, defaults);
    const { directory } = settings;
    if (this.#id !== null) {
      return chat.reply({ ...said, sessionId: this.#id, owner, model, systemPrompt, directory }, onProgress, signal);
    }
    const begun = await chat.start({ ...said, owner, model, settings }, onProgress, signal);
    this.#id = begun.sessionId;
    return begun;
  }
}

function presentReply(result: ChatResult, chatId: string | null): ChatReplyResult {
  if (!result.ok) {
    return { ...presentFailure(result.failed, 'chat'), chatId };
  }
  const { answer, notKept, sessionId } = result;
  const notices = [...(answer.notices ?? []), ...(notKept === null ? [] : [notKept])];
  return { ok: true, ...answer, ...(notices.length > 0 && { notices }), chatId: sessionId };
}
