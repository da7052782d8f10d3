import { StringDecoder } from 'node:string_decoder';

/** In UTF-16 code units, of what is shown of one report: the first half and the last half of it. */
const maxCharacters = 40_000;
const half = maxCharacters / 2;

/** Keeps what a command has printed since it was last asked: all of it, or its beginning and its end. */
export class OutputWindow {
  readonly #decoder = new StringDecoder('utf8');
  #head = '';
  #tail = '';
  #dropped = 0;
  #totalBytes = 0;

  get totalBytes(): number {
    return this.#totalBytes;
  }

  add(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    this.#append(this.#decoder.write(chunk));
  }

  /** What was printed since the last call. `isLast`: half a character at the end is told as one that is damaged. */
  take({ isLast }: { readonly isLast: boolean }): string {
    if (isLast) {
      this.#append(this.#decoder.end());
    }
    this.#cutTail();
    const gap = this.#dropped === 0 ? '' : `\n… ${this.#dropped} characters are left out here …\n`;
    const text = this.#head + gap + this.#tail;
    this.#head = '';
    this.#tail = '';
    this.#dropped = 0;
    return text;
  }

  #append(text: string): void {
    const room = half - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    if (this.#tail.length > maxCharacters) {
      this.#cutTail();
    }
  }

  /** Never between the halves of a pair. */
  #cutTail(): void {
    const excess = this.#tail.length - half;
    if (excess <= 0) {
      return;
    }
    const code = this.#tail.charCodeAt(excess);
    const from = code >= 0xdc00 && code < 0xe000 ? excess + 1 : excess;
    this.#dropped += from;
    this.#tail = this.#tail.slice(from);
  }
}
