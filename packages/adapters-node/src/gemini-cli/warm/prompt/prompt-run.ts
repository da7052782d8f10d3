import { randomUUID } from 'node:crypto';
import type { Clock, ModelUsage, RunEnd, RunRequest, ToolSession } from '@gemini-mcp/core';
import { raceTimeout } from '@gemini-mcp/core/internal';
import type { RunReport, Tell, ToldEvent } from '../../cli-transport.ts';
import { endOfRun } from '../../reading/classify-outcome.ts';
import type { CliOutcome } from '../../reading/cli-outcome.ts';
import type { RunLimit } from '../../run-limit.ts';
import { withoutToolCalls } from '../../settings/model-tools.ts';
import type { PooledProcess } from '../pool/pooled-process.ts';
import type { AcpProcess } from '../process/acp-process.ts';
import type { AcpReply } from '../protocol/acp-connection.ts';
import { conversationDigest } from '../session/conversation-digest.ts';
import { discardReports, type WarmSession } from '../session/warm-session.ts';
import { maxKeptTurns, maxRememberedTokens, type WarmLimits } from '../warm-limits.ts';
import { PromptRecorder } from './prompt-recorder.ts';

export type PromptOptions = {
  readonly clock: Clock;
  readonly limits: WarmLimits;
  readonly pooled: PooledProcess;
  readonly process: AcpProcess;
  readonly session: WarmSession;
  /** The scope of the session's memory besides the turns; null if the session is not kept. */
  readonly scope: string | null;
  readonly request: RunRequest;
  readonly mayTryAgain: boolean;
  readonly toolSession: ToolSession | null;
  readonly onRun?: (report: RunReport) => void;
};

/** The process ended before the run reported anything: try once more on another one, `alone` if this run may be the cause. */
export type Again = {
  readonly type: 'again';
  readonly processId: string;
  readonly detail: string;
  readonly alone: boolean;
};

const never = new AbortController().signal;

/** One request on a ready session. */
export class PromptRun {
  readonly #options: PromptOptions;
  readonly #process: AcpProcess;
  readonly #tell: Tell;
  readonly #recorder: PromptRecorder;
  readonly #startedAtMs: number;
  readonly #runId = randomUUID();
  #text = '';
  #termination: CliOutcome['termination'] = 'exited';
  #reply: AcpReply | null = null;
  #replied: Promise<void> = Promise.resolve();

  constructor(options: PromptOptions, tell: Tell) {
    this.#options = options;
    this.#process = options.process;
    this.#tell = tell;
    this.#startedAtMs = options.clock.now();
    this.#recorder = new PromptRecorder({
      redact: options.process.redact,
      hasModelTools: options.toolSession !== null,
      onEvents: (events) => this.#take(events),
      onOverLimit: () => this.#stop('output-limit'),
    });
  }

  /** Resolves once everything of the run is gone. Call it once. */
  async carry(limit: RunLimit): Promise<RunEnd | Again> {
    const { request, session } = this.#options;
    const stopAtLimit = (): void => this.#stop(limit.termination);
    limit.signal.addEventListener('abort', stopAtLimit, { once: true });
    this.#reportStart();
    this.#replied = this.#process
      .prompt(session.id, promptParts(request), (update) => this.#recorder.read(update))
      .then((reply) => {
        this.#reply = reply;
      });
    await this.#replied;
    limit.signal.removeEventListener('abort', stopAtLimit);
    const { used, end } = await this.#finish();
    const again = await this.#tryAgain();
    if (again !== null) {
      return again;
    }
    if (used.length > 0) {
      this.#tell({ type: 'usage', models: used });
    }
    return end;
  }

  async #tryAgain(): Promise<Again | null> {
    const { pooled, mayTryAgain, toolSession } = this.#options;
    const hasActed = this.#recorder.sawEvents || (toolSession?.calls ?? 0) > 0;
    if (!(this.#isProcessGone && mayTryAgain) || this.#termination !== 'exited' || hasActed) {
      return null;
    }
    const { fault, hung: alone } = await this.#process.ended;
    const detail = fault ?? 'the process ended by itself';
    // A request that hung a process of its own hangs the next one too.
    return alone && pooled.kind.isAlone ? null : { type: 'again', processId: pooled.id, detail, alone };
  }

  get #isProcessGone(): boolean {
    return this.#reply?.ok === false && this.#reply.closed;
  }

  #take(events: readonly ToldEvent[]): void {
    for (const event of withoutToolCalls(events)) {
      if (event.type === 'text') {
        this.#text += event.text;
        this.#options.onRun?.({ type: 'text', runId: this.#runId, text: event.text });
      }
      this.#tell(event);
    }
  }

  /** The first reason counts, and none after the answer. Ends a process that does not stop a cancelled prompt. */
  #stop(termination: CliOutcome['termination']): void {
    if (this.#termination !== 'exited' || this.#reply !== null) {
      return;
    }
    this.#termination = termination;
    const { session, clock, limits } = this.#options;
    this.#process.cancel(session.id);
    void raceTimeout({ event: this.#replied, durationMs: limits.answerMs, clock }, never).then((end) => {
      if (end === 'timed-out') {
        this.#process.hang('did not answer a cancel');
      }
    });
  }

  async #finish(): Promise<{ readonly used: readonly ModelUsage[]; readonly end: RunEnd }> {
    const { onRun = () => undefined, clock, request } = this.#options;
    const processEnd = this.#isProcessGone ? await this.#process.ended : null;
    const hasHung = processEnd?.hung === true && this.#termination === 'exited';
    const termination = hasHung ? 'hung' : this.#termination;
    const reply = this.#reply ?? { ok: false, closed: true };
    const { usage, outcome } = this.#recorder.end({ reply, termination, processEnd });
    const end = endOfRun(outcome);
    const isAnswered = end.type === 'answer';
    await Promise.all([this.#letGo(isAnswered), isAnswered ? undefined : discardReports(this.#process)]);
    const durationMs = clock.now() - this.#startedAtMs;
    onRun({ type: 'ended', runId: this.#runId, model: request.model, durationMs, end, outcome });
    return { used: usage, end };
  }

  #reportStart(): void {
    const { onRun = () => undefined, request } = this.#options;
    const { command, environment, directory } = this.#process;
    const { model, input } = request;
    onRun({ type: 'started', runId: this.#runId, model, command, directory: directory.workspace, environment, input });
  }

  /** Whether the session holds more than a next turn may see. */
  #isFull(turns: number): boolean {
    const { session, request } = this.#options;
    const { media = [] } = request;
    const remembersMuch = session.warmTools !== null && this.#recorder.lastInputTokens > maxRememberedTokens;
    // The history of a next turn does not include the contents of a picture.
    return media.length > 0 || turns > maxKeptTurns || remembersMuch;
  }

  /** Keeps the session if its conversation may go on, else removes it. */
  async #letGo(isAnswered: boolean): Promise<void> {
    const { pooled, session, request, scope, toolSession } = this.#options;
    const { history = [], input, mayContinue = false } = request;
    const turns = session.turns + 1 + this.#recorder.tools;
    if (!(isAnswered && mayContinue) || scope === null || this.#isFull(turns)) {
      await pooled.discard(session);
      return;
    }
    const said = [...history, { role: 'user', text: input } as const, { role: 'model', text: this.#text } as const];
    const warmTools = session.warmTools && { ...session.warmTools, nextNumber: toolSession?.nextNumber ?? 0 };
    await pooled.keep(conversationDigest({ turns: said, scope }), { ...session, turns, warmTools });
  }
}

/**
 * Comes before every message: the CLI looks for commands (`/`, `$`) at the beginning of a prompt, up to the first part that is not a
 * command.
 */
export const messageHeader =
  'This request comes through gemini-mcp-server. The next text is the request, word for word.\n';

type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string };

/**
 * The message is a part of its own, which Gemini CLI 0.61.0 passes on unchanged; it would rewrite an embedded resource. Media of any type
 * go as images, whose type it passes on.
 */
export function promptParts({ input, media = [] }: RunRequest): readonly PromptPart[] {
  return [
    { type: 'text', text: messageHeader },
    ...media.map(({ mediaType, bytes }) => ({
      type: 'image' as const,
      mimeType: mediaType,
      data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    })),
    { type: 'text', text: input },
  ];
}
