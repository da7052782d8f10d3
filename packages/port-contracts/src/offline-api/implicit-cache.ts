import { type JsonRecord, recordsIn } from './json-record.ts';
import type { RecordedRequest } from './requests/recorded-request.ts';
import { addPart, addText, emptyTally, type TokenTally, tokensOfTally } from './requests/token-count.ts';

/** Google gives no figure; users report minutes. */
const lastsMs = 5 * 60_000;

/** Each beginning is compared with those of this many newest requests. */
const maxKept = 20;

/** The parts of a request that decide the cache. */
export type CacheableRequest = Pick<RecordedRequest, 'model' | 'apiKey' | 'systemText' | 'contents'>;

type Kept = { readonly owner: string; readonly parts: readonly JsonRecord[]; readonly atMs: number };

export type ImplicitCacheOptions = {
  /** In milliseconds. */
  readonly now: () => number;
};

/**
 * Imitates Google's implicit cache: if a request begins with the same bytes as one of the last minutes, for the same model
 * and key, the shared tokens count as cached, from a minimum on. The beginning consists of system instruction and
 * conversation, part by part.
 */
export class ImplicitCache {
  readonly #now: () => number;
  #kept: readonly Kept[] = [];

  constructor({ now }: ImplicitCacheOptions) {
    this.#now = now;
  }

  /** How many tokens of a request were in the cache; null if too few. Adds the request to the cache. */
  take(request: CacheableRequest): number | null {
    const atMs = this.#now();
    const owner = JSON.stringify([request.model, request.apiKey]);
    const parts = partsOf(request);
    const lasting = this.#kept.filter((kept) => atMs - kept.atMs < lastsMs);
    const known = lasting.filter((kept) => kept.owner === owner);
    const tokens = Math.max(0, ...known.map((kept) => countShared(kept.parts, parts)));
    this.#kept = [...lasting, { owner, parts, atMs }].slice(-maxKept);
    return tokens >= smallestFor(request.model) ? tokens : null;
  }
}

/** By the model: Gemini 2.5, Gemini 4 Argon, and Gemini 3 and Gemini 4 Carbon (Google's documentation, 2026). */
function smallestFor(model: string): number {
  if (model.startsWith('gemini-2.5')) {
    return 2_048;
  }
  return model.includes('argon') ? 6_144 : 4_096;
}

/** The system instruction and all turns, as parts that name their turn. */
function partsOf({ systemText, contents }: CacheableRequest): readonly JsonRecord[] {
  const ofTurns = contents.flatMap(({ role, parts }, turn) =>
    recordsIn(parts).map((part) => ({ ...part, role, turn })),
  );
  return [{ text: systemText }, ...ofTurns];
}

function countShared(one: readonly JsonRecord[], other: readonly JsonRecord[]): number {
  let tally: TokenTally = emptyTally;
  for (const [index, part] of other.entries()) {
    const before = one[index];
    if (before === undefined || JSON.stringify(part) !== JSON.stringify(before)) {
      return tokensOfTally(addText(tally, sharedBeginning(before?.['text'], part['text'])));
    }
    tally = addPart(tally, part);
  }
  return tokensOfTally(tally);
}

function sharedBeginning(one: unknown, other: unknown): string {
  if (typeof one !== 'string' || typeof other !== 'string') {
    return '';
  }
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) {
    length += 1;
  }
  return other.slice(0, length);
}
