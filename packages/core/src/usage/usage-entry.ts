import type { AskEnd } from '../ask-gemini/ask-gemini.ts';
import { isNumber, isRecord, isText, listOf, nullable, objectOf, parseShape, type Shape } from '../json/shape.ts';
import type { ModelUsage } from '../ports/gemini-runner/token-usage.ts';

/** One call to Gemini that has ended. Holds no prompt, no name of a file and no answer. */
export type UsageEntry = {
  /** When it ended. */
  readonly atMs: number;
  readonly owner: string;
  /** The tool that made the call; null for a call of the library. */
  readonly tool: string | null;
  /** The name that the client gave itself, unverified; null if unknown. */
  readonly client: string | null;
  /** The service or program that carried the last attempt; null if no attempt was made, or the only runner has no name for it. */
  readonly backend: string | null;
  /** `answered`, or the kind of the failure. */
  readonly outcome: string;
  /** From the arrival of the call, with all waiting. */
  readonly durationMs: number;
  /** Of all attempts, one for each model. Empty if none of them reported any. */
  readonly usage: readonly ModelUsage[];
};

/** The entry for a call that has ended now. */
export function usageEntryOf({ result, durationMs, owner, origin }: AskEnd, atMs: number): UsageEntry {
  const { attempts, usage = [] } = result.ok ? result.answer : result.failed;
  return {
    atMs,
    owner,
    tool: origin?.tool ?? null,
    client: origin?.clientName ?? null,
    backend: attempts.at(-1)?.handledBy?.by ?? null,
    outcome: result.ok ? 'answered' : result.failed.failure.kind,
    durationMs,
    usage,
  };
}

const counts = ['inputTokens', 'outputTokens', 'thoughtTokens', 'cachedTokens', 'toolTokens'] as const;

const isModelUsage: Shape<ModelUsage> = (value): value is ModelUsage =>
  isRecord(value) &&
  isText(value['model']) &&
  isNumber(value['inputTokens']) &&
  isNumber(value['outputTokens']) &&
  counts.every((name) => value[name] === undefined || isNumber(value[name]));

const isUsageEntry: Shape<UsageEntry> = objectOf<UsageEntry>({
  atMs: isNumber,
  owner: isText,
  tool: nullable(isText),
  client: nullable(isText),
  backend: nullable(isText),
  outcome: isText,
  durationMs: isNumber,
  usage: listOf(isModelUsage),
});

/** Reads a stored entry; null if the text is not one. */
export function readUsageEntry(text: string): UsageEntry | null {
  return parseShape(isUsageEntry, text);
}
