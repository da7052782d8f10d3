import type { AskProgress, ChatResult, FailureWords, ServersOfCall } from '@gemini-mcp/core';
import { raceTimeout } from '@gemini-mcp/core/internal';
import type { CallOptions, ChatOptions, ToolSessionOptions } from '../gemini-options.ts';
import type { GeminiParts } from '../gemini-parts.ts';
import { type ChatReplyResult, presentFailure, type StreamPiece } from '../gemini-result.ts';
import { buildRun, type CallDefaults } from './build-ask-request.ts';
import type { RunningCalls } from './running-calls.ts';
import { serversOfCall } from './servers-of-call.ts';
import { streamPieces } from './stream-pieces.ts';

export type ChatReplyOptions = Pick<CallOptions, 'timeoutMs' | 'signal'> & ToolSessionOptions;

export type GeminiChatParts = {
  readonly parts: Pick<GeminiParts, 'chat' | 'clock' | 'toolProviderFactory'>;
  readonly calls: RunningCalls;
  readonly defaults: CallDefaults;
  readonly options: ChatOptions;
};

/** One reply as it goes on. */
type Said = {
  readonly prompt: string;
  readonly timeoutMs: number;
  readonly deadlineAtMs: number;
  /** None if missing. */
  readonly servers?: ServersOfCall;
  readonly onProgress: (progress: AskProgress) => void;
};

/** A conversation. It is kept: `gemini.chat({ id })` goes on with it, in another program as well. */
export class GeminiChat {
  readonly #parts: GeminiChatParts;
  #id: string | null;
  /** Replies that came while there was no id, and those after them. The first that is answered brings it. Never rejects. */
  #beginning: Promise<unknown> | null = null;

  constructor(parts: GeminiChatParts) {
    this.#parts = parts;
    this.#id = parts.options.id ?? null;
  }

  /** Null until the first answer. */
  get id(): string | null {
    return this.#id;
  }

  /**
   * Says something, and resolves to the answer. Replies that are made at the same time are answered one after the other; to wait
   * counts against the timeout. One that failed leaves the conversation as it was.
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
    onProgress: Said['onProgress'],
    callerSignal: AbortSignal | undefined,
  ): Promise<ChatReplyResult> {
    const { calls, parts, defaults } = this.#parts;
    const { timeoutMs = defaults.timeoutMs } = options;
    const { owner = defaults.owner } = this.#parts.options;
    const deadlineAtMs = parts.clock.now() + timeoutMs;
    return calls.run(async (signal) => {
      const { failed, servers } = await serversOfCall(options, { owner, timeoutMs }, parts);
      const result =
        failed === null
          ? await this.#sendInTurn({ prompt, timeoutMs, deadlineAtMs, onProgress, ...servers }, signal)
          : ({ ok: false, sessionId: null, failed } as const);
      return presentReply(result, this.#id, defaults.failureWords);
    }, callerSignal);
  }

  /** Where the conversation has its id, the use case keeps the order. */
  #sendInTurn(said: Said, signal: AbortSignal): Promise<ChatResult> {
    const ahead = this.#beginning;
    const turn = ahead === null ? this.#send(said, signal) : this.#sendBehind(ahead, said, signal);
    if (this.#id === null || ahead !== null) {
      // One that waits no longer does not let those after it overtake the one ahead.
      const beginning = Promise.allSettled([ahead, turn]).then(() => {
        this.#beginning = this.#beginning === beginning ? null : this.#beginning;
      });
      this.#beginning = beginning;
    }
    return turn;
  }

  async #sendBehind(ahead: Promise<unknown>, said: Said, signal: AbortSignal): Promise<ChatResult> {
    const { clock } = this.#parts.parts;
    const { timeoutMs, deadlineAtMs } = said;
    const end = await raceTimeout({ event: ahead, durationMs: deadlineAtMs - clock.now(), clock }, signal);
    if (end === 'happened') {
      return this.#send(said, signal);
    }
    const failure = { kind: end === 'aborted' ? 'cancelled' : 'timeout' } as const;
    const failed = { failure, attempts: [], partialText: '', context: null, timeoutMs };
    return { ok: false, sessionId: null, failed };
  }

  async #send(
    { prompt, timeoutMs, deadlineAtMs, servers, onProgress }: Said,
    signal: AbortSignal,
  ): Promise<ChatResult> {
    const { parts, defaults, options } = this.#parts;
    const { chat, clock } = parts;
    const { owner = defaults.owner, model = null, systemPrompt = null } = options;
    const run = buildRun(options, defaults);
    const lent = servers !== undefined && { servers };
    const said = { prompt, owner, model, timeoutMs: deadlineAtMs - clock.now(), ...lent };
    const result =
      this.#id === null
        ? await chat.start({ ...said, ...run }, onProgress, signal)
        : await chat.reply(
            {
              ...said,
              sessionId: this.#id,
              systemPrompt,
              directory: run.directory?.path ?? null,
              roots: defaults.roots,
            },
            onProgress,
            signal,
          );
    this.#id ??= result.sessionId;
    // What a user is told is the time of the whole call, not what was left of it after waiting.
    return result.ok ? result : { ...result, failed: { ...result.failed, timeoutMs } };
  }
}

function presentReply(result: ChatResult, chatId: string | null, words: FailureWords | undefined): ChatReplyResult {
  if (!result.ok) {
    return { ...presentFailure(result.failed, { purpose: 'chat', words }), chatId };
  }
  const { answer, notKept, sessionId } = result;
  const notices = [...(answer.notices ?? []), ...(notKept === null ? [] : [notKept])];
  return { ok: true, ...answer, ...(notices.length > 0 && { notices }), chatId: sessionId };
}
