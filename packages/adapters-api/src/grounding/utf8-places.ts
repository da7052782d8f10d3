import { splitsPair, utf8BytesAt } from '@gemini-mcp/core/internal';

/** So many units lie between two places that are remembered: no more are counted to find one. */
const strideUnits = 1_024;

/** Places in a text by bytes of UTF-8 and by UTF-16 units, each as the other. */
export class Utf8Places {
  readonly #text: string;
  /** Bytes before each unit whose place is a multiple of the stride. */
  readonly #bytesBefore: number[] = [];
  readonly #length: number;

  constructor(text: string) {
    this.#text = text;
    let bytes = 0;
    for (let unit = 0; unit < text.length; unit += 1) {
      if (unit % strideUnits === 0) {
        this.#bytesBefore.push(bytes);
      }
      bytes += utf8BytesAt(text, unit);
    }
    this.#length = bytes;
  }

  /** Bytes before a unit of the text. */
  bytesAt(unit: number): number {
    const stride = Math.floor(unit / strideUnits);
    let bytes = this.#bytesBefore[stride] ?? this.#length;
    for (let place = stride * strideUnits; place < Math.min(unit, this.#text.length); place += 1) {
      bytes += utf8BytesAt(this.#text, place);
    }
    return bytes;
  }

  /** Units before a byte; null where the byte lies inside of a character, or outside of the text. */
  unitAt(byte: number): number | null {
    if (!Number.isSafeInteger(byte) || byte < 0 || byte > this.#length) {
      return null;
    }
    let unit = this.#strideBefore(byte) * strideUnits;
    let bytes = this.bytesAt(unit);
    while (bytes < byte) {
      bytes += utf8BytesAt(this.#text, unit);
      unit += 1;
    }
    return bytes === byte && !splitsPair(this.#text, unit) ? unit : null;
  }

  #strideBefore(byte: number): number {
    let [low, high] = [0, this.#bytesBefore.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#bytesBefore[middle] ?? 0) <= byte) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
