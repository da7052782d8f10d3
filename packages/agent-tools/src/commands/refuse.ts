import type { CommandRefusal } from '@gemini-mcp/core/internal';

/** The parsed value, or why it does not run. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: CommandRefusal };

export function refuseCommand(reason: string, hint: string): { readonly ok: false; readonly refusal: CommandRefusal } {
  return { ok: false, refusal: { reason, hint } };
}

/** Reads each of them, or returns the first refusal. */
export function readAll<From, To>(items: readonly From[], read: (item: From) => Read<To>): Read<readonly To[]> {
  const values: To[] = [];
  for (const item of items) {
    const result = read(item);
    if (!result.ok) {
      return result;
    }
    values.push(result.value);
  }
  return { ok: true, value: values };
}
