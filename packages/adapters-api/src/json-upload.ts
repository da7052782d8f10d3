import { randomUUID } from 'node:crypto';
import { splitsSurrogatePair } from '@gemini-mcp/core/internal';

/** Bytes that are a text in base64 where they are sent. */
export class Base64Data {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** JSON that is sent: whole, or in pieces, of which those in base64 are made as the connection takes them. */
export type JsonUpload = {
  readonly body: Buffer | (() => Generator<Buffer>);
  readonly sizeBytes: number;
};

/** What a text or bytes are sent as, between their quotes. */
type Inset = { readonly sizeBytes: number; readonly pieces: () => Iterable<Buffer> };

/** Long texts as they were sent. */
type WrittenTexts = Map<string, Inset>;

/** Three bytes become four characters, so that a piece ends between characters. */
const base64PieceBytes = 3 * 64 * 1024;

/** In UTF-16 code units. Shorter texts are part of the JSON around them. */
const longTextLength = 64 * 1024;

export class JsonUploads {
  /** Weak, so that the memory is free again with the next collection of garbage. */
  #last: WeakRef<WrittenTexts> | null = null;

  /**
   * Writes a value as JSON. Of `Base64Data` in it nothing is copied before it is sent: 50 MB of media would take 67 more in base64, and
   * as much again as the text of a request. A long text is written in pieces: its whole JSON would take two bytes a character once
   * more. Where the last upload with long texts had the same one, its pieces are sent again, since a large message is counted first.
   */
  write(value: unknown): JsonUpload {
    const before = this.#last?.deref();
    const written: WrittenTexts = new Map();
    const insets: Inset[] = [];
    // Unpredictable, so that nothing in the value can hold it.
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
 * What is between the quotes where a text is written as JSON, in UTF-8: piece by piece, each made when it is asked for. `length` is that of the
 * text in a piece, in UTF-16 code units; at least 2, since no piece ends inside a character.
 */
export function* jsonTextPieces(text: string, length: number = usualLength): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    const end = Math.min(start + length, text.length);
    const place = splitsSurrogatePair(text, end) ? end - 1 : end;
    yield Buffer.from(JSON.stringify(text.slice(start, place))).subarray(1, -1);
    start = place;
  }
}
