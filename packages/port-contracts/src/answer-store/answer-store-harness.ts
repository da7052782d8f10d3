import type { AnswerSaved, AnswerStore, AnswerSummary, AnswerToSave, Clock } from '@gemini-mcp/core';
import type { Proof } from '../proof.ts';
import type { RecordDamage, StoreFeatures } from '../stores/store-features.ts';

export type AnswerStoreHarness = {
  readonly store: AnswerStore;
  /** The same answers as another process would see them. */
  readonly reopen: () => AnswerStore;
  /** Makes every save fail until the returned function is called. */
  readonly breakWriting?: () => Promise<() => Promise<void>>;
  /** Makes the record of a saved answer unreadable. */
  readonly damage?: (answer: AnswerSummary, damage: RecordDamage) => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type AnswerStoreBounds = {
  readonly clock: Clock;
  readonly expiryMs: number;
  /** Of one answer, in bytes as the store counts them: a few hundred more than its text has. */
  readonly maxAnswerBytes: number;
  /** Of all answers of an owner. */
  readonly maxOwnerBytes: number;
  /** Of all answers of all owners. */
  readonly maxBytes: number;
};

/** Opens a new store for each test. A missing limit is one that no test reaches. */
type OpenAnswerStore = (bounds?: Partial<AnswerStoreBounds>) => Promise<AnswerStoreHarness>;

export type AnswerStoreSubject = {
  readonly proof: Proof;
  readonly open: OpenAnswerStore;
  readonly features: StoreFeatures;
};

export const signal: AbortSignal = new AbortController().signal;
export const hourMs = 3_600_000;

export function answer(fields: Partial<AnswerToSave> = {}): AnswerToSave {
  return { owner: 'alice', title: 'What is it?', text: 'It is this.', ...fields };
}

export function handleOf(saved: AnswerSaved): string {
  return saved.saved ? saved.answer.handle : `not saved: ${saved.detail}`;
}
