import type { AskProgress, ChatResult, FailureWords, ServersOfCall } from '@gemini-mcp/core';
import { raceTimeout } from '@gemini-mcp/core/internal';
import type { CallOptions, ChatOptions, ToolSessionOptions } from '../gemini-options.ts';
import type { GeminiParts } from '../gemini-parts.ts';
import { type ChatReplyResult, type StreamPiece, toGeminiFailureResult } from '../gemini-result.ts';
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

/** One reply in progress. */
type Said = {
  readonly prompt: string;
  readonly timeoutMs: number;
  readonly deadlineAtMs: number;
  /** Defaults to no context. */
  readonly servers?: ServersOfCall;
  readonly onProgress: (progress: AskProgress) => void;
};

/** A stored conversation: `gemini.chat({ id })` continues it, even in another program. */
export class GeminiChat {
  readonly #parts: GeminiChatParts;
  #id: string | null;
  /** Chains replies made before the conversation has an id, which the first answer brings. Never rejects. */
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
   * Sends a message and resolves to the answer. Concurrent replies are answered one after the other; waiting counts against the
   * timeout. A failed reply leaves the conversation unchanged.
   */
  reply(prompt: string, options: ChatReplyOptions = {}): Promise<ChatReplyResult> {
    return this.#reply(prompt, options, () => undefined, options.signal);
  }

  /** Like `reply`, but in pieces, with the result last. Ending the loop early cancels the reply. */
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

  /** Once the conversation has an id, the use case keeps the order. */
  #sendInTurn(said: Said, signal: AbortSignal): Promise<ChatResult> {
    const ahead = this.#beginning;
    const turn = ahead === null ? this.#send(said, signal) : this.#sendBehind(ahead, said, signal);
    if (this.#id === null || ahead !== null) {
      // If a waiting reply gives up, later replies must still wait for the one ahead.
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
    const named = servers !== undefined && { servers };
    const said = { prompt, owner, model, timeoutMs: deadlineAtMs - clock.now(), ...named };
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
    // The message names the timeout of the whole call, not the rest after waiting.
    return result.ok ? result : { ...result, failed: { ...result.failed, timeoutMs } };
  }
}

function presentReply(result: ChatResult, chatId: string | null, words: FailureWords | undefined): ChatReplyResult {
  if (!result.ok) {
    return { ...toGeminiFailureResult(result.failed, { purpose: 'chat', words }), chatId };
  }
  const { answer, notKept, sessionId } = result;
  const notices = [...(answer.notices ?? []), ...(notKept === null ? [] : [notKept])];
  return { ok: true, ...answer, ...(notices.length > 0 && { notices }), chatId: sessionId };
}
