import type { ReadingPace } from '@gemini-mcp/core/internal';

export type BodyLimits = {
  /** Of the whole body; of a stream of events, of each event. */
  readonly maxBytes: number;
  /** Of all bodies of this server. */
  readonly pace: ReadingPace;
  readonly isStream: boolean;
  /** An event of the stream is over, or a comment. */
  readonly onEvent: () => void;
  /** It is over, whichever way. Told before the reader hears of it. */
  readonly onEnd: (end: BodyEnd) => void;
};

export type BodyEnd = {
  /** Events of the stream had ids. */
  readonly hadIds: boolean;
  /** How long it was allowed to be, if it was longer; otherwise null. */
  readonly exceededBytes: number | null;
};

const lineFeed = 0x0a;
const openBracket = 0x5b;

/** A body is handed on in pieces of this size: what is made of one takes no longer than a slice of the pace. */
const pieceBytes = 16_384;

/** Several messages in one body, as an older revision has them. They are all read in one go, so there may not be many. */
const maxBatchBytes = 256_000;

/** As many as the name of the field `id` has, with its colon. */
const headBytes = 3;

/** A body that fails if it is longer than allowed, comes no faster than the pace, and says when it is over. Null stays null. */
export function limitBody(
  body: ReadableStream<Uint8Array> | null,
  limits: BodyLimits,
): ReadableStream<Uint8Array> | null {
  if (body === null) {
    limits.onEnd({ hadIds: false, exceededBytes: null });
    return null;
  }
  const reader = body.getReader();
  const meter = new Meter(limits);
  let rest: Uint8Array = new Uint8Array();
  let isOver = false;
  const end = (): void => {
    if (!isOver) {
      isOver = true;
      limits.onEnd(meter);
    }
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (limits.pace.isSpent) {
          await limits.pace.rest();
        }
        const { done, value } = rest.length > 0 ? { done: false, value: rest } : await reader.read();
        const begunAtMs = performance.now();
        if (done) {
          end();
          controller.close();
        } else {
          const piece = value.subarray(0, pieceBytes);
          rest = value.subarray(pieceBytes);
          meter.take(piece);
          controller.enqueue(piece);
        }
        await untilRead();
        limits.pace.count(begunAtMs);
      } catch (error) {
        end();
        controller.error(error);
        await reader.cancel(error).catch(() => undefined);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason).catch(() => undefined);
    },
  });
}

/** Resolves when the reader has done all that it does with a piece at once: ticks come after the jobs of promises. */
function untilRead(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** Counts what was read of the body, or of the event of a stream that is not over. */
class Meter {
  readonly #limits: BodyLimits;
  #bytes = 0;
  #lineBytes = 0;
  #lineHead = '';
  #maxBytes: number;
  #hasBegun = false;
  hadIds = false;
  exceededBytes: number | null = null;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#maxBytes = limits.maxBytes;
  }

  /** Throws where it is too much. */
  take(chunk: Uint8Array): void {
    if (!this.#hasBegun && !this.#limits.isStream) {
      this.#begin(chunk);
    }
    let start = 0;
    if (this.#limits.isStream) {
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        this.#hold(chunk.subarray(start, end));
        this.#endLine();
        start = end + 1;
      }
    }
    this.#hold(chunk.subarray(start));
  }

  /** Looks whether the first character that is no space begins a list. */
  #begin(chunk: Uint8Array): void {
    const first = chunk.find((byte) => byte > 0x20);
    this.#hasBegun = first !== undefined;
    if (first === openBracket) {
      this.#maxBytes = Math.min(this.#maxBytes, maxBatchBytes);
    }
  }

  #hold(piece: Uint8Array): void {
    this.#bytes += piece.length;
    this.#lineBytes += piece.length;
    if (this.#lineHead.length < headBytes) {
      this.#lineHead += String.fromCharCode(...piece.subarray(0, headBytes - this.#lineHead.length));
    }
    if (this.#bytes > this.#maxBytes) {
      this.exceededBytes = this.#maxBytes;
      throw new Error(`The answer is longer than ${this.#maxBytes} bytes`);
    }
  }

  #endLine(): void {
    if (this.#lineBytes === 0 || (this.#lineBytes === 1 && this.#lineHead === '\r')) {
      this.#bytes = 0;
      this.#limits.onEvent();
    }
    this.hadIds ||= this.#lineHead === 'id:';
    this.#lineBytes = 0;
    this.#lineHead = '';
  }
}
