import type { KeptPins, ToolPin } from '@gemini-mcp/core/internal';
import type { BreakableRecords } from './breakable-records.ts';
import type { Mutant } from './prove-mutants.ts';

export type PinRecords = BreakableRecords<readonly ToolPin[]>;

export type KeptPinsMutant = Mutant & {
  readonly change?: (right: KeptPins, records: PinRecords) => Partial<KeptPins>;
  /** What it keeps ends with the instance. */
  readonly forgets?: true;
};

/** The last of those that are the same by `nameOf`. */
export function lastOf(pins: readonly ToolPin[], nameOf: (tool: string) => string): readonly ToolPin[] {
  return [...new Map(pins.map((pin) => [nameOf(pin.tool), pin])).values()];
}
