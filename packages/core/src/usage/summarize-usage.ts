import type { ModelUsage } from '../ports/gemini-runner/token-usage.ts';
import type { UsageEntry } from '../ports/usage-ledger.ts';
import { costOf, dayOf, type ModelPrice, priceAt } from './model-prices.ts';

/** What entries can be grouped by. */
export const usageGroups = ['model', 'tool', 'client', 'day', 'month', 'backend', 'principal'] as const;

export type UsageGroup = (typeof usageGroups)[number];

/** The calls of one group together. */
export type UsageRow = {
  /** The value that the calls have in common; null if it is unknown. */
  readonly name: string | null;
  /** A call that several models worked on counts for each of them. */
  readonly calls: number;
  /** Calls that did not end in an answer. */
  readonly failed: number;
  readonly inputTokens: number;
  /** The part of the input that came from Google's cache. */
  readonly cachedTokens: number;
  /** With thoughts. */
  readonly outputTokens: number;
  /** In US dollars, for the tokens of models with a known price. */
  readonly cost: number;
  /** Tokens of models without a known price: the cost does not include them. */
  readonly unpricedTokens: number;
};

/** Sums of entries by group, largest cost first; days and months in their order. */
export class UsageSummary {
  readonly #group: UsageGroup;
  readonly #prices: readonly ModelPrice[];
  readonly #rows = new Map<string | null, Sums>();
  /** A million entries ask for the same few prices and days: both by the number of the day since 1970. */
  readonly #pricesOfDay = new Map<number, Map<string, ModelPrice | null>>();
  readonly #names = new Map<number, string>();
  readonly #total = emptySums(null);

  constructor(group: UsageGroup, prices: readonly ModelPrice[]) {
    this.#group = group;
    this.#prices = prices;
  }

  add(entries: readonly UsageEntry[]): void {
    for (const entry of entries) {
      const used = entry.usage.map((usage) => this.#figuresOf(usage, entry.atMs));
      count(this.#total, entry, used);
      if (this.#group === 'model' && used.length > 0) {
        for (const figures of used) {
          count(this.#rowOf(figures.model), entry, [figures]);
        }
      } else {
        count(this.#rowOf(this.#nameOf(entry)), entry, used);
      }
    }
  }

  get rows(): readonly UsageRow[] {
    const rows = [...this.#rows.values()];
    return this.#group === 'day' || this.#group === 'month'
      ? rows.sort((one, other) => ((one.name ?? '') < (other.name ?? '') ? -1 : 1))
      : rows.sort((one, other) => other.cost - one.cost || other.inputTokens - one.inputTokens);
  }

  /** Each call once. */
  get total(): UsageRow {
    return this.#total;
  }

  #rowOf(name: string | null): Sums {
    return known(this.#rows, name, () => emptySums(name));
  }

  #nameOf({ tool, client, backend, owner, atMs }: UsageEntry): string | null {
    switch (this.#group) {
      case 'model':
        return null;
      case 'tool':
        return tool;
      case 'client':
        return client;
      case 'backend':
        return backend;
      case 'principal':
        return owner;
      case 'day':
        return known(this.#names, dayNumberOf(atMs), () => dayOf(atMs));
      case 'month':
        return known(this.#names, dayNumberOf(atMs), () => dayOf(atMs).slice(0, 7));
    }
  }

  #figuresOf(usage: ModelUsage, atMs: number): Figures {
    const { model, inputTokens, outputTokens, thoughtTokens = 0, cachedTokens = 0, toolTokens = 0 } = usage;
    const price = this.#priceOf(model, atMs);
    return {
      model,
      cachedTokens,
      inputTokens: inputTokens + toolTokens,
      outputTokens: outputTokens + thoughtTokens,
      cost: price === null ? null : costOf(usage, price),
    };
  }

  #priceOf(model: string, atMs: number): ModelPrice | null {
    const prices = known(this.#pricesOfDay, dayNumberOf(atMs), () => new Map<string, ModelPrice | null>());
    return known(prices, model, () => priceAt(model, atMs, this.#prices));
  }
}

const dayMs = 86_400_000;

function dayNumberOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}

/** The value of `key`, made at the first call. */
function known<Key, Value>(values: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = values.get(key);
  if (value !== undefined) {
    return value;
  }
  const made = make();
  values.set(key, made);
  return made;
}

type Figures = Pick<UsageRow, 'inputTokens' | 'cachedTokens' | 'outputTokens'> & {
  readonly model: string;
  /** Null without a known price. */
  readonly cost: number | null;
};

function count(sums: Sums, { outcome }: UsageEntry, used: readonly Figures[]): void {
  sums.calls += 1;
  sums.failed += outcome === 'answered' ? 0 : 1;
  for (const { inputTokens, cachedTokens, outputTokens, cost } of used) {
    sums.inputTokens += inputTokens;
    sums.cachedTokens += cachedTokens;
    sums.outputTokens += outputTokens;
    sums.cost += cost ?? 0;
    sums.unpricedTokens += cost === null ? inputTokens + outputTokens : 0;
  }
}

/** A row that grows. */
type Sums = { -readonly [Name in keyof UsageRow]: UsageRow[Name] };

function emptySums(name: string | null): Sums {
  return { name, calls: 0, failed: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, cost: 0, unpricedTokens: 0 };
}
