import { asObject, isObject, type JsonObject } from '../json-object.ts';

/** A function call of the model. */
export type FunctionCall = {
  /** Matches a response to its call; missing if the API sent none. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: JsonObject;
};

/** The parts of a turn of the model: its calls, and the turn in the form to send back. */
export class FunctionCallReader {
  readonly #parts: JsonObject[] = [];

  add(parts: readonly unknown[]): void {
    for (const part of parts) {
      if (isObject(part)) {
        this.#addPart(part);
      }
    }
  }

  get calls(): readonly FunctionCall[] {
    return this.#parts.flatMap(({ functionCall }) => (isObject(functionCall) ? callsIn(functionCall) : []));
  }

  /** Signatures stay with their parts: without them the API rejects the next request (HTTP 400). */
  get parts(): readonly JsonObject[] {
    return this.#parts;
  }

  #addPart(part: JsonObject): void {
    if (isPlainText(part) && part['text'] === '') {
      // Vertex AI rejects an empty text that is sent back (HTTP 400).
      return;
    }
    const last = this.#parts.at(-1);
    if (last !== undefined && isPlainText(last) && isPlainText(part)) {
      this.#parts[this.#parts.length - 1] = { text: `${last['text']}${part['text']}` };
    } else if (part['thought'] !== true || part['thoughtSignature'] !== undefined) {
      this.#parts.push(part);
    }
  }
}

function isPlainText(part: JsonObject): boolean {
  return typeof part['text'] === 'string' && Object.keys(part).length === 1;
}

function callsIn({ id, name, args }: JsonObject): readonly FunctionCall[] {
  return typeof name === 'string' ? [{ ...(typeof id === 'string' && { id }), name, arguments: asObject(args) }] : [];
}
