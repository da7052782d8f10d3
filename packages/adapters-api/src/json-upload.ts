import { randomUUID } from 'node:crypto';

/** Bytes that are a text in base64 where they are sent. */
export class Base64Data {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** JSON that is sent: whole, or in pieces that are made one after the other as the connection takes them. */
export type JsonUpload = {
  readonly body: Buffer | (() => Generator<Buffer>);
  readonly sizeBytes: number;
};

/** Three bytes become four characters, so that a piece ends between characters. */
const pieceBytes = 3 * 64 * 1024;

/**
 * Writes a value as JSON. Of `Base64Data` in it nothing is copied before it is sent: 50 MB of media would take 67 more in base64, and
 * as much again as the text of a request.
 */
export function jsonUpload(value: unknown): JsonUpload {
  const all: Base64Data[] = [];
  // Unpredictable, so that nothing in the value can hold it.
  const mark = randomUUID();
  const text = JSON.stringify(value, (_, each: unknown) => {
    if (!(each instanceof Base64Data)) {
      return each;
    }
    all.push(each);
    return mark;
  });
  if (all.length === 0) {
    const body = Buffer.from(text);
    return { body, sizeBytes: body.length };
  }
  const texts = text.split(mark).map((part) => Buffer.from(part));
  const sizes = [...texts.map(({ length }) => length), ...all.map(({ bytes }) => Math.ceil(bytes.length / 3) * 4)];
  return { body: () => piecesOf(texts, all), sizeBytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function* piecesOf(texts: readonly Buffer[], all: readonly Base64Data[]): Generator<Buffer> {
  for (const [index, text] of texts.entries()) {
    yield text;
    const { bytes = new Uint8Array() } = all[index] ?? {};
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      const length = Math.min(pieceBytes, bytes.length - start);
      yield Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString('base64'), 'latin1');
    }
  }
}
