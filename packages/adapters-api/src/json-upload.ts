import { randomUUID } from 'node:crypto';
import { splitsSurrogatePair } from '@gemini-mcp/core/internal';

/** Bytes that are sent as base64 text. */
export class Base64Data {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** JSON to send: whole, or in pieces; those in base64 are encoded as the connection takes them. */
export type JsonUpload = {
  readonly body: Buffer | (() => Generator<Buffer>);
  readonly sizeBytes: number;
};

/** The encoded form of a text or bytes, without the quotes. */
type Inset = { readonly sizeBytes: number; readonly pieces: () => Iterable<Buffer> };

/** Long texts in their encoded form. */
type WrittenTexts = Map<string, Inset>;

/** Three bytes become four characters, so that a piece ends between characters. */
const base64PieceBytes = 3 * 64 * 1024;

/** In UTF-16 code units. Shorter texts are part of the JSON around them. */
const longTextLength = 64 * 1024;

export class JsonUploads {
  /** Weak, so that the next garbage collection frees the memory. */
  #last: WeakRef<WrittenTexts> | null = null;

  /**
   * Writes a value as JSON. Does not copy `Base64Data` in it before sending: 50 MB of media would take 67 more in base64, and as much
   * again as the text of a request. Writes a long text in pieces: its whole JSON would take another two bytes a character. If the last
   * upload with long texts had the same one, sends its pieces again, since a large message is counted first.
   */
  write(value: unknown): JsonUpload {
    const before = this.#last?.deref();
    const written: WrittenTexts = new Map();
    const insets: Inset[] = [];
    // Unpredictable, so that the value cannot contain it.
    const mark = randomUUID();
    const text = JSON.stringify(value, (_, each: unknown) => {
      if (each instanceof Base64Data) {
        insets.push(base64Inset(each));
        return mark;
      }
      if (typeof each === 'string' && each.length >= longTextLength) {
        const inset = written.get(each) ?? before?.get(each) ?? textInset(each);
        written.set(each, inset);
        insets.push(inset);
        return mark;
      }
      return each;
    });
    this.#last = written.size === 0 ? this.#last : new WeakRef(written);
    return insets.length === 0 ? wholeUpload(text) : uploadInPieces(text.split(mark), insets);
  }
}

function wholeUpload(text: string): JsonUpload {
  const body = Buffer.from(text);
  return { body, sizeBytes: body.length };
}

function uploadInPieces(between: readonly string[], insets: readonly Inset[]): JsonUpload {
  const texts = between.map((part) => Buffer.from(part));
  const sizes = [...texts.map(({ length }) => length), ...insets.map(({ sizeBytes }) => sizeBytes)];
  return { body: () => piecesOf(texts, insets), sizeBytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function* piecesOf(texts: readonly Buffer[], insets: readonly Inset[]): Generator<Buffer> {
  for (const [index, text] of texts.entries()) {
    yield text;
    yield* insets[index]?.pieces() ?? [];
  }
}

function textInset(text: string): Inset {
  const pieces = [...jsonTextPieces(text)];
  return { sizeBytes: pieces.reduce((sum, { length }) => sum + length, 0), pieces: () => pieces };
}

function base64Inset({ bytes }: Base64Data): Inset {
  return { sizeBytes: Math.ceil(bytes.length / 3) * 4, pieces: () => base64Pieces(bytes) };
}

function* base64Pieces(bytes: Uint8Array): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += base64PieceBytes) {
    const length = Math.min(base64PieceBytes, bytes.length - start);
    yield Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString('base64'), 'latin1');
  }
}

/** In UTF-16 code units. */
const usualLength = 64 * 1024;

/**
 * The JSON form of a text without its quotes, in UTF-8: piece by piece, each created on request. `length` is the length of a
 * piece's text in UTF-16 code units; at least 2, since no piece ends inside a character.
 */
export function* jsonTextPieces(text: string, length: number = usualLength): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    const end = Math.min(start + length, text.length);
    const place = splitsSurrogatePair(text, end) ? end - 1 : end;
    yield Buffer.from(JSON.stringify(text.slice(start, place))).subarray(1, -1);
    start = place;
  }
}
