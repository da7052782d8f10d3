import type { Clock } from '@gemini-mcp/core';
import { countOf } from '@gemini-mcp/core/internal';
import type { ToolProgress } from '../surface/tool.ts';

/** Text comes in many small pieces, and a client redraws its screen for each notification. */
const minIntervalMs = 250;

/** Clients give up on a silent call; the promise is a sign of life every 10 s, so this stays well below. */
const heartbeatMs = 8_000;

/** Statuses within one interval share a line: clients show only the latest message. */
const maxStatusCharacters = 2_000;

export type ProgressReporterOptions = {
  readonly clock: Clock;
  /** Sends one notification; resolves when the connection can take another. A rejection is ignored: the call matters more. */
  readonly send: (notification: { readonly progress: number; readonly message: string }) => Promise<void>;
};

/**
 * Turns the progress of a call into few messages, each one line that makes sense alone: the current step, or how much text has come
 * and its last line. Sends at most one every 250 ms, and the latest again after 8 s of silence. Keeps a timer until `stop` is
 * called.
 */
export class ProgressReporter {
  readonly #clock: Clock;
  readonly #send: ProgressReporterOptions['send'];
  readonly #stopped = new AbortController();
  readonly #startedAtMs: number;
  #lastSentAtMs = Number.NEGATIVE_INFINITY;
  #lastStatus = 'Working';
  #model: string | null = null;
  #text = new TextSoFar();
  #isTextLatest = false;
  #unsaidStatuses = '';
  #hasUnsaidText = false;
  #isSpeaking = false;
  #count = 0;

  constructor(options: ProgressReporterOptions) {
    this.#clock = options.clock;
    this.#send = options.send;
    this.#startedAtMs = options.clock.now();
    void this.#keepAlive();
  }

  report(progress: ToolProgress): void {
    if (progress.type === 'text') {
      this.#text.push(progress.text);
    } else {
      this.#noteStatus(progress);
    }
    this.#isTextLatest = progress.type === 'text';
    // A status is newer: text from before it is not reported after it.
    this.#hasUnsaidText = this.#isTextLatest;
    this.#speakUnlessSpeaking();
  }

  /** Stops the reporter: no message and no timer from now on. Unsent progress is dropped. */
  stop(): void {
    this.#stopped.abort();
  }

  #noteStatus({ message, model, startsOver = false }: Extract<ToolProgress, { type: 'status' }>): void {
    this.#lastStatus = message;
    this.#model = model ?? this.#model;
    if (startsOver) {
      this.#text = new TextSoFar();
    }
    this.#addStatus(message);
  }

  #addStatus(message: string): void {
    this.#unsaidStatuses = keepEnd(this.#unsaidStatuses === '' ? message : `${this.#unsaidStatuses} · ${message}`);
  }

  #speakUnlessSpeaking(): void {
    if (!this.#isSpeaking) {
      void this.#speak();
    }
  }

  async #speak(): Promise<void> {
    this.#isSpeaking = true;
    while (this.#hasNews() && (await this.#sleep(minIntervalMs - this.#silentForMs()))) {
      const message = toLine(this.#takeNews());
      this.#lastSentAtMs = this.#clock.now();
      this.#count += 1;
      await this.#send({ progress: this.#count, message }).catch(() => undefined);
    }
    this.#isSpeaking = false;
  }

  #hasNews(): boolean {
    return this.#unsaidStatuses !== '' || this.#hasUnsaidText;
  }

  /** Statuses first: the next message reports text that has come since. */
  #takeNews(): string {
    const statuses = this.#unsaidStatuses;
    if (statuses !== '') {
      this.#unsaidStatuses = '';
      return statuses;
    }
    this.#hasUnsaidText = false;
    return this.#describeText(null);
  }

  #describeText(note: string | null): string {
    const described = this.#text.describe(note);
    return this.#model === null ? described : `${this.#model} · ${described}`;
  }

  async #keepAlive(): Promise<void> {
    let silentMs = 0;
    while (await this.#sleep(heartbeatMs - silentMs)) {
      const elapsedMs = this.#clock.now() - this.#startedAtMs;
      silentMs = Math.min(this.#silentForMs(), Math.max(0, elapsedMs));
      if (silentMs >= heartbeatMs && !this.#hasNews()) {
        const elapsed = `${Math.round(elapsedMs / 1_000)} s`;
        this.#addStatus(this.#isTextLatest ? this.#describeText(elapsed) : `${this.#lastStatus} (${elapsed})`);
        this.#speakUnlessSpeaking();
      }
      silentMs %= heartbeatMs;
    }
  }

  /** Never negative, although the system's clock may be set back. */
  #silentForMs(): number {
    return Math.max(0, this.#clock.now() - this.#lastSentAtMs);
  }

  /** Resolves to whether progress remains to report. */
  #sleep(durationMs: number): Promise<boolean> {
    return this.#clock.sleep(durationMs, this.#stopped.signal).then(
      () => !this.#stopped.signal.aborted,
      () => false,
    );
  }
}

function keepEnd(text: string): string {
  return text.length > maxStatusCharacters ? `…${text.slice(1 - maxStatusCharacters)}` : text;
}

/** Cuts the last line to its end: with model and count it then fits on one line of a terminal. */
const maxLineCharacters = 100;

const lineEnds = /\r\n?|[\n\u2028\u2029]/u;

/** Treats half a character as visible, because its other half may still come. */
const visible = /[^\s\p{Cc}\p{Cf}]/u;

/** Describes the text so far in a progress message: its length and last line. Keeps only the end of that line. */
export class TextSoFar {
  #characters = 0;
  #line = '';
  #isLineOver = false;
  #isLineCut = false;

  push(piece: string): void {
    this.#characters += piece.length;
    for (const [index, part] of piece.split(lineEnds).entries()) {
      this.#isLineOver ||= index > 0;
      this.#append(part);
    }
  }

  /** `1,234 characters · …the end of the last line`, with `note` between the two if given. On one line. */
  describe(note: string | null): string {
    const shown = `${this.#isLineCut ? '…' : ''}${toLine(this.#line)}`;
    return [countOf(this.#characters, 'character'), note, shown].filter((part) => part).join(' · ');
  }

  #append(part: string): void {
    // The last line with text says more than an empty one after it.
    if (this.#isLineOver && !visible.test(part)) {
      return;
    }
    const line = this.#isLineOver ? part : this.#line + part;
    this.#isLineCut = line.length > maxLineCharacters || (this.#isLineCut && !this.#isLineOver);
    this.#line = line.slice(-maxLineCharacters);
    this.#isLineOver = false;
  }
}

/** Control characters, direction overrides, lone surrogates: some clients print to a terminal. */
const undisplayable = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** A text on one line, without characters that act on a terminal. */
function toLine(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(undisplayable, '').trim();
}
