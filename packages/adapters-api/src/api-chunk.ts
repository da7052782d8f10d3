/** What is read of an event of `streamGenerateContent` (`GenerateContentResponse` of the Gemini API, v1beta). */
export type ApiChunk = {
  /** The visible text of the first candidate, without thoughts. */
  readonly text: string;
  /** `candidates[0].finishReason`. */
  readonly finishReason: string | null;
  /** `promptFeedback.blockReason`. */
  readonly blockReason: string | null;
  readonly modelVersion: string | null;
  /** A running total: that of the last event counts. */
  readonly usage: Readonly<Record<string, unknown>> | null;
};

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads an event that is JSON. Null where it is no object: no other form is looked at, and nothing in it is taken on trust. */
export function parseApiChunk(value: unknown): ApiChunk | null {
  if (!isObject(value)) {
    return null;
  }
  const candidate = firstObject(value['candidates']);
  return {
    text: visibleText(asObject(candidate['content'])['parts']),
    finishReason: textOf(candidate['finishReason']),
    blockReason: textOf(asObject(value['promptFeedback'])['blockReason']),
    modelVersion: textOf(value['modelVersion']),
    usage: isObject(value['usageMetadata']) ? value['usageMetadata'] : null,
  };
}

function visibleText(parts: unknown): string {
  let text = '';
  for (const part of Array.isArray(parts) ? parts : []) {
    if (isObject(part) && typeof part['text'] === 'string' && part['thought'] !== true) {
      text += part['text'];
    }
  }
  return text;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function firstObject(value: unknown): JsonObject {
  return asObject(Array.isArray(value) ? value[0] : undefined);
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
