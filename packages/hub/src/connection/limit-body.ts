export type BodyLimits = {
  /** Of the whole body; of a stream of events, of each event. */
  readonly maxBytes: number;
  readonly isStream: boolean;
  /** It is over, whichever way. Told before the reader hears of it. */
  readonly onEnd: (end: BodyEnd) => void;
};

export type BodyEnd = {
  /** Events of the stream had ids. */
  readonly hadIds: boolean;
  readonly isTooLong: boolean;
};

const lineFeed = 0x0a;

/** As many as the name of the field `id` has, with its colon. */
const headBytes = 3;

/** A body that fails where it is longer than allowed, and says when it is over. Null stays null. */
export function limitBody(
  body: ReadableStream<Uint8Array> | null,
  limits: BodyLimits,
): ReadableStream<Uint8Array> | null {
  if (body === null) {
    limits.onEnd({ hadIds: false, isTooLong: false });
    return null;
  }
  const reader = body.getReader();
  const meter = new Meter(limits);
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
        const { done, value } = await reader.read();
        if (done) {
          end();
          controller.close();
          return;
        }
        meter.take(value);
        controller.enqueue(value);
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

/** Counts what was read of the body, or of the event of a stream that is not over. */
class Meter {
  readonly #limits: BodyLimits;
  #bytes = 0;
  #lineBytes = 0;
  #lineHead = '';
  hadIds = false;
  isTooLong = false;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Throws where it is too much. */
  take(chunk: Uint8Array): void {
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

  #hold(piece: Uint8Array): void {
    this.#bytes += piece.length;
    this.#lineBytes += piece.length;
    if (this.#lineHead.length < headBytes) {
      this.#lineHead += String.fromCharCode(...piece.subarray(0, headBytes - this.#lineHead.length));
    }
    if (this.#bytes > this.#limits.maxBytes) {
      this.isTooLong = true;
      throw new Error(`The answer is longer than ${Math.floor(this.#limits.maxBytes / 1_000_000)} MB`);
    }
  }

  #endLine(): void {
    if (this.#lineBytes === 0 || (this.#lineBytes === 1 && this.#lineHead === '\r')) {
      this.#bytes = 0;
    }
    this.hadIds ||= this.#lineHead === 'id:';
    this.#lineBytes = 0;
    this.#lineHead = '';
  }
}
