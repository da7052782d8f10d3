import { findExcess } from '@gemini-mcp/core/internal';
import { checkArguments } from '../input/check-arguments.ts';
import type { JsonObject } from '../input/tool-input.ts';
import { isJsonObject } from '../request-params.ts';
import { shownWords } from './shown-words.ts';

export type ReadStructured = {
  /** Null where there is none, or none that can be passed on. */
  readonly structured: JsonObject | null;
  /** What is left out, and why; null where nothing is. */
  readonly note: string | null;
};

const bounds = { maxValues: 20_000, maxCharacters: 30_000, maxDepth: 60 };

/** As JSON. */
const maxCharacters = 38_000;

/** Structured content of a server, with all characters visible that act or hide. One that the server's own schema refuses is left out: clients of the SDK would refuse the whole result. */
export async function readStructured(content: unknown, outputSchema: JsonObject | null): Promise<ReadStructured> {
  if (content === undefined || content === null) {
    return { structured: null, note: null };
  }
  const excess = findExcess(content, bounds);
  if (excess !== null || !isJsonObject(content)) {
    return leftOut(excess ?? 'is no object');
  }
  if (!(await fits(content, outputSchema))) {
    return leftOut('is not what the server said it would be');
  }
  const structured = showMembers(content);
  return JSON.stringify(structured).length > maxCharacters ? leftOut('is too large') : { structured, note: null };
}

function leftOut(why: string): ReadStructured {
  return { structured: null, note: `[Structured content left out: it ${why}.]` };
}

/** A schema that cannot be applied refuses nothing. */
async function fits(content: JsonObject, outputSchema: JsonObject | null): Promise<boolean> {
  if (outputSchema === null) {
    return true;
  }
  const checked = await checkArguments({ jsonSchema: outputSchema }, content).catch(() => null);
  return checked?.isAccepted ?? true;
}

function showMembers(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [visible(name), showValue(value)]));
}

function showValue(value: unknown): unknown {
  if (typeof value === 'string') {
    return visible(value);
  }
  if (Array.isArray(value)) {
    return value.map(showValue);
  }
  return isJsonObject(value) ? showMembers(value) : value;
}

function visible(text: string): string {
  return shownWords(text, bounds.maxCharacters);
}
