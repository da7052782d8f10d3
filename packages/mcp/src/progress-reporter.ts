import type { Clock } from '@gemini-mcp/core';
import { showText } from '@gemini-mcp/core/internal';
import type { ToolProgress } from './tool.ts';

/** Text comes in many small pieces, and a client redraws its screen for each notification. */
const minIntervalMs = 250;

/** Clients give up on a call that is silent; they are promised a sign of life every 10 s, so keep well below. */
const heartbeatMs = 8_000;

/** Progress is to be glanced at: the answer itself comes whole at the end. */
const maxMessageLength = 2_000;

/** Control characters but for line ends and tabs, direction overrides, lone surrogates: some clients print to a terminal. */
const undisplayable = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** What the next notification will say. */
type Unsaid = {
  readonly message: string;
  readonly endsWith: ToolProgress['type'];
};

export type ProgressReporterOptions = {
  readonly clock: Clock;
  /** Sends one notification; resolves when the connection can take another. A rejection is ignored: the call matters more. */
  readonly send: (notification: { readonly progress: number; readonly message: string }) => Promise<void>;
};

/**
 * Turns the news of a call into few progress notifications: at most one every 250 ms, holding the newest 2,000 characters
 * of what is still unsaid, and the last status again after 8 s without news. Keeps a timer until `stop` is called.
 */
export class ProgressReporter {
  readonly #clock: Clock;
  readonly #send: ProgressReporterOptions['send'];
  readonly #stopped = new AbortController();
  readonly #startedAtMs: number;
  #lastSentAtMs = Number.NEGATIVE_INFINITY;
  #lastStatus = 'Working';
  #unsaid: Unsaid | null = null;
  #isSpeaking = false;
  #count = 0;

  constructor(options: ProgressReporterOptions) {
    this.#clock = options.clock;
    this.#send = options.send;
    this.#startedAtMs = options.clock.now();
    void this.#keepAlive();
  }

  report(progress: ToolProgress): void {
    if (progress.type === 'status') {
      this.#lastStatus = progress.message;
    }
    this.#say(progress);
  }

  /** Ends it: from now on nothing is sent and no timer runs. What is unsaid stays unsaid. */
  stop(): void {
    this.#stopped.abort();
  }

  #say(progress: ToolProgress): void {
    this.#unsaid = append(this.#unsaid, progress);
    if (!this.#isSpeaking) {
      void this.#speak();
    }
  }

  async #speak(): Promise<void> {
    this.#isSpeaking = true;
    while (this.#unsaid !== null && (await this.#sleep(minIntervalMs - this.#silentForMs()))) {
      const message = this.#unsaid.message.replace(undisplayable, '');
      this.#unsaid = null;
      this.#lastSentAtMs = this.#clock.now();
      this.#count += 1;
      await this.#send({ progress: this.#count, message }).catch(() => undefined);
    }
    this.#isSpeaking = false;
  }

  async #keepAlive(): Promise<void> {
    let silentMs = 0;
    while (await this.#sleep(heartbeatMs - silentMs)) {
      const elapsedMs = this.#clock.now() - this.#startedAtMs;
      silentMs = Math.min(this.#silentForMs(), Math.max(0, elapsedMs));
      if (silentMs >= heartbeatMs && this.#unsaid === null) {
        this.#say({ type: 'status', message: `${this.#lastStatus} (${Math.round(elapsedMs / 1_000)} s)` });
      }
      silentMs %= heartbeatMs;
    }
  }

  /** Never below zero: the system's clock may be set back. */
  #silentForMs(): number {
    return Math.max(0, this.#clock.now() - this.#lastSentAtMs);
  }

  /** Resolves to whether there is still something to report. */
  #sleep(durationMs: number): Promise<boolean> {
    return this.#clock.sleep(durationMs, this.#stopped.signal).then(
      () => !this.#stopped.signal.aborted,
      () => false,
    );
  }
}

/** A status begins a line of its own; pieces of text follow each other as they are. */
function append(unsaid: Unsaid | null, progress: ToolProgress): Unsaid {
  const added = progress.type === 'text' ? progress.text : progress.message;
  if (unsaid === null) {
    // A piece of text may begin within a line, and looks like a line of its own here.
    const message = progress.type === 'text' ? showText(added, { keepsControls: true }) : added;
    return { message: keepEnd(message), endsWith: progress.type };
  }
  const separator = unsaid.endsWith === 'text' && progress.type === 'text' ? '' : '\n';
  return { message: keepEnd(`${unsaid.message}${separator}${added}`), endsWith: progress.type };
}

function keepEnd(text: string): string {
  return text.length > maxMessageLength ? `…${text.slice(1 - maxMessageLength)}` : text;
}
