import type { AskEnd } from '../ask-gemini/ask-gemini.ts';
import { isNumber, isRecord, isText, listOf, nullable, objectOf, parseShape, type Shape } from '../json/shape.ts';
import type { ModelUsage } from '../ports/gemini-runner/token-usage.ts';
import type { UsageEntry } from '../ports/usage-ledger.ts';

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
