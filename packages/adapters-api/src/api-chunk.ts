import { asObject, isObject, type JsonObject } from './json-object.ts';

/** The members that we read from an event of `streamGenerateContent` (`GenerateContentResponse` of the Gemini API, v1beta). */
export type ApiChunk = {
  /** The visible text of the first candidate, without thoughts. */
  readonly text: string;
  /** `candidates[0].content.parts`, unchanged. */
  readonly parts: readonly unknown[];
  /** `candidates[0].groundingMetadata`: the results of a search. */
  readonly grounding: JsonObject | null;
  /** `candidates[0].urlContextMetadata`: the state of each page. */
  readonly pages: JsonObject | null;
  /** `candidates[0].finishReason`. */
  readonly finishReason: string | null;
  /** `promptFeedback.blockReason`. */
  readonly blockReason: string | null;
  readonly modelVersion: string | null;
  /** A running total: the last event counts. */
  readonly usage: JsonObject | null;
  /** Whether it has an error, or lacks a candidate. */
  readonly mayBeError: boolean;
};

/** Reads a parsed event. Null if it is not an object; every member is validated. */
export function parseApiChunk(value: unknown): ApiChunk | null {
  if (!isObject(value)) {
    return null;
  }
  const candidate = firstObject(value['candidates']);
  const parts = partsOf(candidate['content']);
  return {
    text: parts.map(visibleText).join(''),
    parts,
    grounding: objectOrNull(candidate['groundingMetadata']),
    pages: objectOrNull(candidate['urlContextMetadata']),
    finishReason: textOf(candidate['finishReason']),
    blockReason: textOf(asObject(value['promptFeedback'])['blockReason']),
    modelVersion: textOf(value['modelVersion']),
    usage: objectOrNull(value['usageMetadata']),
    mayBeError: 'error' in value || !('candidates' in value),
  };
}

/** The visible text of a part; empty for a thought and for anything but text. */
export function visibleText(part: unknown): string {
  return isObject(part) && typeof part['text'] === 'string' && part['thought'] !== true ? part['text'] : '';
}

function partsOf(content: unknown): readonly unknown[] {
  const { parts } = asObject(content);
  return Array.isArray(parts) ? parts : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function firstObject(value: unknown): JsonObject {
  return asObject(Array.isArray(value) ? value[0] : undefined);
}

function objectOrNull(value: unknown): JsonObject | null {
  return isObject(value) ? value : null;
}
