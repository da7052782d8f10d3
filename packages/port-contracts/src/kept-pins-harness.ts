import type { KeptPins, ToolPin } from '@gemini-mcp/core/internal';
import type { Proof } from './proof.ts';
import type { RecordsHarness } from './records-in-directory.ts';
import type { StoreFeatures } from './store-features.ts';

/** `damage` is called with a key. */
export type KeptPinsHarness = RecordsHarness<KeptPins>;

export type KeptPinsSubject = {
  readonly proof: Proof;
  readonly open: () => Promise<KeptPinsHarness>;
  readonly features: StoreFeatures;
};

export const key: string = 'a'.repeat(64);
export const otherKey: string = 'b'.repeat(64);

export function pinOf(tool: string, definition = 'one'): ToolPin {
  return { tool, digest: 'c'.repeat(64), definition };
}

/** In the order of their names: a store may have its own. */
export function byTool(pins: readonly ToolPin[] | null): readonly ToolPin[] | null {
  return pins?.toSorted((one, other) => (one.tool < other.tool ? -1 : 1)) ?? null;
}
